import { type Chain, rpc } from "../../../apps/indexer/test/harness/stack.ts";
import type { Ponder } from "./ponder.ts";
import { attestOf, didOf, mintOf, sendCalls } from "./publishServices.ts";

/** Milliseconds between two questions of a client that waits. */
const ASK_EVERY = 20;

/** Milliseconds from a receipt to the first answer that knows of its block. */
export type Lags = { indexer: number[]; bare: number[] };

const answer = async (url: string) => (await (await fetch(url)).json()) as unknown;

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error("Nothing came of it within 30 s.");
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY));
  }
}

/**
 * Registers `count` services, `first` and the next ones, in blocks of one second, and measures for each how long after
 * the receipt the indexer's search finds it, and how long bare Ponder takes to name its block.
 */
export async function measureLag(
  chain: Chain,
  { indexer, bare, first, count }: { indexer: Ponder; bare: Ponder; first: number; count: number },
): Promise<Lags> {
  await rpc(chain.rpcUrl, "evm_setAutomine", [false]);
  await rpc(chain.rpcUrl, "evm_setIntervalMining", [1_000]);
  await sendCalls(chain, "ResolverWithStore", [attestOf(Array.from({ length: count }, (_, i) => first + i))]);
  await new Promise((resolve) => setTimeout(resolve, 3_000));

  const lags: Lags = { indexer: [], bare: [] };
  for (let index = first; index < first + count; index++) {
    // Not in step with the blocks.
    await new Promise((resolve) => setTimeout(resolve, (index * 137) % 1_000));
    const [hash] = await sendCalls(chain, "AppRegistry", [mintOf(index)]);
    let block = 0;
    await until(async () => {
      const receipt = (await rpc(chain.rpcUrl, "eth_getTransactionReceipt", [hash])) as {
        blockNumber: string;
      } | null;
      block = Number(receipt?.blockNumber ?? 0);
      return receipt !== null;
    });
    const minedAt = performance.now();
    await Promise.all([
      until(async () => {
        const page = await answer(`${indexer.url}/search?did=${encodeURIComponent(didOf(index))}`);
        return (page as { results: unknown[] }).results.length > 0;
      }).then(() => lags.indexer.push(performance.now() - minedAt)),
      until(async () => {
        const status = (await answer(`${bare.url}/status`)) as { chain?: { block: { number: number } } };
        return Number(status.chain?.block.number) >= block;
      }).then(() => lags.bare.push(performance.now() - minedAt)),
    ]);
  }
  await rpc(chain.rpcUrl, "evm_setIntervalMining", [0]);
  return lags;
}
