import { expect } from "chai";
import {
  API,
  type BenchRegistry,
  CONTRACT,
  createBenchRegistry,
  publishMany,
  sendMany,
  updateArguments,
} from "../../bench/gas/registry.ts";
import { listTokenIds } from "../registry/listings.ts";

const isLong = Boolean(process.env.TEST_LONG);
const MANY = isLong ? 10_000 : 500;
const FEW = isLong ? 1_000 : 100;
const VERSIONS = isLong ? 2_000 : 300;
/** Index of the record with many versions, which is on the first page of every listing. */
const OLD = 50;
const [ACTIVE, HUMAN, LIMIT] = [0, 1, 100];
/** Gas for each word of the index by status and interface, which covers 64 records. */
const GAS_PER_WORD = 2_650;

const appsBetween = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => ({
    index: from + i,
    interfaces: (from + i) % 100 === OLD ? CONTRACT : API,
  }));

/** Returns the gas of a call to each listing. */
async function priceListings({ registry, publisher }: BenchRegistry) {
  const { getAppsByStatus, getAppsByOwner, getAppsByInterface } = registry;
  return {
    byStatus: Number(await getAppsByStatus.estimateGas(ACTIVE, 0, LIMIT)),
    byOwner: Number(await getAppsByOwner.estimateGas(publisher, 0, LIMIT)),
    byInterface: Number(await getAppsByInterface.estimateGas(API, true, 0, LIMIT - 1)),
    withoutMatch: Number(await getAppsByInterface.estimateGas(HUMAN, true, 0, LIMIT)),
  };
}

/** Publishes `count` versions after 1.0.0 of a record: 1.0.1, 1.0.2 … 1.1.0 …. */
async function publishVersions(bench: BenchRegistry, index: number, count: number): Promise<void> {
  const { registry, publisher } = bench;
  const calls = Array.from({ length: count }, (_, i) => {
    const [minor, patch] = [Math.floor((i + 1) / 256), (i + 1) % 256];
    return registry.interface.encodeFunctionData("updateAppControlled", [
      ...updateArguments(index, minor, patch),
    ]);
  });
  await sendMany(bench, publisher.address, registry, calls);
}

describe(`Listings of ${MANY} records of one holder, one of them with ${VERSIONS} versions`, function () {
  this.timeout(600_000);
  let bench: BenchRegistry;
  let few: Awaited<ReturnType<typeof priceListings>>;
  let withoutHistory: typeof few;
  let many: typeof few;

  before(async () => {
    bench = await createBenchRegistry();
    await publishMany(bench, appsBetween(0, FEW));
    few = await priceListings(bench);
    await publishMany(bench, appsBetween(FEW, MANY));
    withoutHistory = await priceListings(bench);
    await publishVersions(bench, OLD, VERSIONS - 1);
    many = await priceListings(bench);
  });

  it(`use the same gas per page by status, owner or interface as with ${FEW} records`, () => {
    expect(many.byStatus).to.be.closeTo(few.byStatus, 100);
    expect(many.byOwner).to.be.closeTo(few.byOwner, 100);
    expect(many.byInterface).to.be.closeTo(few.byInterface, 100);
  });

  it("use the same gas as before the many versions were published", () => {
    for (const [listing, gas] of Object.entries(many)) {
      expect(gas, listing).to.be.closeTo(withoutHistory[listing as keyof typeof many], 100);
    }
  });

  it("use gas only for the words of the index if no record matches", () => {
    const words = Math.ceil((MANY - FEW) / 64);
    expect(many.withoutMatch - few.withoutMatch).to.be.at.most(words * GAS_PER_WORD);
  });

  // @threat contracts: Make a listing exceed the gas limit, or miss or repeat an app
  it("use the same gas for a wallet that strangers have filled, and return its own record", async () => {
    const { registry, publisher, other } = bench;
    await registry.connect(publisher).transferFrom(publisher, other, MANY);
    for (let id = 1; id <= LIMIT; id += 1)
      await registry.connect(publisher).transferFrom(publisher, other, id);
    expect(Number(await registry.getAppsByOwner.estimateGas(other, 0, LIMIT))).to.be.closeTo(
      many.byOwner,
      100,
    );
    const found = await listTokenIds(registry, "getAppsByOwner", [other.address], LIMIT);
    expect(found).to.deep.equal([...Array.from({ length: LIMIT }, (_, i) => i + 1), MANY]);
  });
});
