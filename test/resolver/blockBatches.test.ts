import { expect } from "chai";
import { id } from "ethers";
import { createResolverSuite, DAY, didHash, MATURATION, otherDidHash, type Signer } from "./fixture.ts";

const { time, load } = await createResolverSuite();

describe("Batches of blocks", () => {
  const ownDidHash = id("did:web:second.example");

  /**
   * `first` controls the DID by three issuers and another DID by one. `second` and `third` wait for control of both, and
   * `second` controls a DID of its own.
   */
  async function setup() {
    const suite = await load();
    const { resolver, issuer, issuer2, issuer3, first, second, third } = suite;
    for (const by of [issuer, issuer2, issuer3]) await suite.attest(by, first);
    await resolver.connect(issuer).attestDID(otherDidHash, first.address, 0);
    await resolver.connect(issuer).attestDID(ownDidHash, second.address, 0);
    await time.increase(2 * MATURATION);
    for (const { address } of [second, third]) {
      await resolver.connect(issuer).attestDID(didHash, address, 0);
      await resolver.connect(issuer2).attestDID(otherDidHash, address, 0);
    }
    const until = (await time.latest()) + 20 * DAY;
    const entry = (did: string, { address }: Signer) => ({ didHash: did, account: address, until });
    const block = (by: Signer, ...entries: object[]) =>
      resolver.connect(by).blockControllerBatch(entries as ReturnType<typeof entry>[]);
    const readWeight = async (did: string, { address }: Signer) =>
      Number((await resolver.getBlock(did, address)).weight);
    return { ...suite, entry, block, readWeight };
  }

  // @threat contracts: Block longer, earlier or wider than allowed
  it("have the author's weight on each entry's DID", async () => {
    const { first, second, third, entry, block, readWeight } = await setup();
    await block(first, entry(didHash, second), entry(otherDidHash, second), entry(didHash, third));
    expect(await readWeight(didHash, second)).to.equal(3);
    expect(await readWeight(otherDidHash, second)).to.equal(1);
    expect(await readWeight(didHash, third)).to.equal(3);
  });

  it("skip an account in charge with an event, and block the others", async () => {
    const { resolver, issuer, first, second, third, stranger, entry, block, readWeight } = await setup();
    await time.increase(MATURATION);
    await resolver.connect(issuer).attestDID(didHash, stranger.address, 0);
    const sent = block(first, entry(didHash, second), entry(didHash, stranger), entry(didHash, third));
    for (const { address } of [second, third]) {
      await expect(sent).to.emit(resolver, "BlockSkipped").withArgs(didHash, address, first.address);
    }
    await expect(sent).to.emit(resolver, "ControllerBlocked");
    const blocked = await Promise.all(
      [second, stranger, third].map((account) => readWeight(didHash, account)),
    );
    expect(blocked).to.deep.equal([0, 3, 0]);
  });

  it("revert as a whole if another fault prevents an entry, or if they block nobody", async () => {
    const { resolver, first, second, third, entry, block, readWeight } = await setup();
    const good = entry(didHash, second);
    const until = (await time.latest()) + 31 * DAY;
    for (const [bad, error] of [
      [entry(didHash, first), "SelfReference"],
      [{ ...entry(didHash, third), until: 1 }, "InvalidBlockEnd"],
      [{ ...entry(didHash, third), until }, "InvalidBlockEnd"],
      [entry(ownDidHash, third), "NotInCharge"],
    ] as const) {
      for (const entries of [
        [good, bad],
        [bad, good],
      ])
        await expect(block(first, ...entries)).to.be.revertedWithCustomError(resolver, error);
    }
    expect(await readWeight(didHash, second)).to.equal(0);
    await time.increase(MATURATION);
    await expect(block(first)).to.be.revertedWithCustomError(resolver, "NobodyBlocked");
    await expect(block(first, good)).to.be.revertedWithCustomError(resolver, "NobodyBlocked");
    // An account in charge hides no other fault.
    await expect(block(first, { ...good, until: 1 })).to.be.revertedWithCustomError(
      resolver,
      "InvalidBlockEnd",
    );
  });
});
