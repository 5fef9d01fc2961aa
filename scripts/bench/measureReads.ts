import { toBeHex } from "ethers";
import { API, type BenchRegistry, CONTRACT, createBenchRegistry } from "./benchRegistry.ts";
import type { ReadRow } from "./gasRows.ts";
import { publishMany, publishVersions } from "./publishMany.ts";

const APPS = 1_000;
const VERSIONS = 2_000;
const ACTIVE = 0;
const HUMAN = 1;

/** Gas of the listings of 1,000 apps, all Active and of one holder; every hundredth has the interface CONTRACT. */
export async function measureReads(): Promise<Record<ReadRow, number>> {
  const bench = await createBenchRegistry();
  const { registry, publisher } = bench;
  const records = Array.from({ length: APPS }, (_, index) => ({
    index,
    interfaces: index % 100 === 50 ? CONTRACT : API,
  }));
  await publishMany(bench, records);

  const { getAppsByStatus, getAppsByInterface, getAppsByOwner } = registry;
  const pageByStatus = () => getAppsByStatus.estimateGas(ACTIVE, 0, 100).then(Number);
  const figures = {
    "page-100-by-status": await pageByStatus(),
    "interface-1pct-of-1000": Number(await getAppsByInterface.estimateGas(CONTRACT, true, 0, 100)),
    "interface-none-of-1000": Number(await getAppsByInterface.estimateGas(HUMAN, true, 0, 100)),
    "owner-page-100-of-1000": Number(await getAppsByOwner.estimateGas(publisher, 0, 100)),
  };
  await publishVersions(bench, 7, VERSIONS - 1);
  const added = (await pageByStatus()) - figures["page-100-by-status"];
  return {
    ...figures,
    "page-with-2000-versions": Math.max(0, added),
    "scan-1000000-without-match": await measureScan(bench, 1_000_000),
  };
}

/**
 * Gas of one call that scans a registry of `supply` apps and finds none. The supply is written into the registry's
 * storage: a word of the index costs the same to read whatever it holds.
 */
async function measureScan({ connection, registry }: BenchRegistry, supply: number): Promise<number> {
  const { networkHelpers, ethers } = connection;
  const address = await registry.getAddress();
  const [slot, supplyBits] = [0, 32n];
  const totals = BigInt(await ethers.provider.getStorage(address, slot));
  const withSupply = ((totals >> supplyBits) << supplyBits) | BigInt(supply);
  await networkHelpers.setStorageAt(address, slot, toBeHex(withSupply, 32));
  if ((await registry.totalSupply()) !== BigInt(supply)) {
    throw new Error("The registry keeps its supply in another slot");
  }
  const { page, nextCursor } = await registry.getAppsByInterface(HUMAN, true, 0, 100);
  if (page.length > 0 || nextCursor === 0n) throw new Error("The scan is not a partial one without a match");
  return Number(await registry.getAppsByInterface.estimateGas(HUMAN, true, 0, 100));
}
