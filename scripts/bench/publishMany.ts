import { id } from "ethers";
import type { AppRegistry, ResolverWithStore } from "../../packages/sdk/generated/ethers/index.ts";
import {
  type BenchRecord,
  type BenchRegistry,
  didOf,
  mintArguments,
  updateArguments,
} from "./benchRegistry.ts";

/** Attestations of one transaction. */
const BATCH_SIZE = 100;

/** Attests the publisher as the controller of each record's DID and mints the records, in their order. */
export async function publishMany(bench: BenchRegistry, records: BenchRecord[]): Promise<void> {
  const { resolver, registry, issuer, publisher } = bench;
  const batches: string[] = [];
  for (let start = 0; start < records.length; start += BATCH_SIZE) {
    const attestations = records.slice(start, start + BATCH_SIZE).map(({ index }) => ({
      didHash: id(didOf(index)),
      controller: publisher.address,
      expiresAt: 0,
    }));
    batches.push(resolver.interface.encodeFunctionData("attestDIDBatch", [attestations]));
  }
  await sendMany(bench, issuer.address, resolver, batches);
  const calls = records.map((record) =>
    registry.interface.encodeFunctionData("mint", [...mintArguments(record)]),
  );
  await sendMany(bench, publisher.address, registry, calls);
}

/** Publishes `count` further versions of a record that stands at 1.0.0: 1.0.1, 1.0.2 … 1.1.0 …. */
export async function publishVersions(bench: BenchRegistry, index: number, count: number): Promise<void> {
  const { registry, publisher } = bench;
  const calls = Array.from({ length: count }, (_, i) => {
    const [minor, patch] = [Math.floor((i + 1) / 256), (i + 1) % 256];
    return registry.interface.encodeFunctionData("updateAppControlled", [
      ...updateArguments(index, minor, patch),
    ]);
  });
  await sendMany(bench, publisher.address, registry, calls);
}

/** Sends calls in order, a block for each. Straight to the chain: a contract's wrapper takes several times as long. */
async function sendMany(
  { connection }: BenchRegistry,
  from: string,
  contract: AppRegistry | ResolverWithStore,
  calls: string[],
): Promise<void> {
  const to = await contract.getAddress();
  for (const data of calls) {
    await connection.provider.request({ method: "eth_sendTransaction", params: [{ from, to, data }] });
  }
}
