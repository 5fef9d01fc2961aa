import { registerApp, testRegistry } from "@app-registry/test-kit/testRegistry";
import { HttpRequestError, RpcRequestError } from "viem";
import { describe, expect, it } from "vitest";
import { createLimitedRpc } from "../../test/chain/limitedRpc.ts";
import { createAppRegistryClient } from "./createAppRegistryClient.ts";
import { type BlockRange, type EventPage, type RegistryEvent, readInRanges } from "./events.ts";

const refusal = new RpcRequestError({
  body: {},
  url: "http://rpc",
  error: { code: -32005, message: "too many" },
});

/** Returns one log per block: the number of the block. */
async function blocks({ fromBlock, toBlock }: BlockRange): Promise<bigint[]> {
  return Array.from({ length: Number(toBlock - fromBlock) + 1 }, (_, index) => fromBlock + BigInt(index));
}

describe("readInRanges", () => {
  it("splits refused ranges and returns the logs in order, without a gap", async () => {
    const logs = await readInRanges({ fromBlock: 7n, toBlock: 1000n }, async (range) => {
      if (range.toBlock - range.fromBlock > 100n) throw refusal;
      return blocks(range);
    });
    expect(logs).toEqual(await blocks({ fromBlock: 7n, toBlock: 1000n }));
  });

  it("rejects if even a small range is refused", async () => {
    let calls = 0;
    const read = readInRanges({ fromBlock: 0n, toBlock: 1_000_000n }, async () => {
      calls += 1;
      throw refusal;
    });
    await expect(read).rejects.toBe(refusal);
    expect(calls).toBeLessThan(20);
  });

  it("makes a single call if the RPC does not respond", async () => {
    const down = new HttpRequestError({ url: "http://rpc" });
    let calls = 0;
    const read = readInRanges({ fromBlock: 0n, toBlock: 1000n }, async () => {
      calls += 1;
      throw down;
    });
    await expect(read).rejects.toBe(down);
    expect(calls).toBe(1);
  });

  it("returns no logs for an empty range", async () => {
    expect(await readInRanges({ fromBlock: 2n, toBlock: 1n }, blocks)).toEqual([]);
  });
});

it("lists the events since a block, in order, with typed arguments", async () => {
  const registry = await testRegistry();
  const { publisher, chain } = registry;
  const fromBlock = (await chain.getBlockNumber()) + 1n;
  const { did, dataHash } = await registerApp(registry);
  await registry.mined(publisher.updateStatus({ did, major: 1, status: 2 }));
  const events: RegistryEvent[] = [];
  for await (const event of publisher.listEvents({ fromBlock })) events.push(event);
  expect(events.map(({ eventName }) => eventName)).toEqual(
    expect.arrayContaining(["DIDAttested", "Transfer", "AppMinted", "MetadataSet", "StatusUpdated"]),
  );
  expect(events.at(-1)?.eventName).toBe("StatusUpdated");
  const minted = events.find((event) => event.eventName === "AppMinted");
  expect(minted?.args).toMatchObject({ did, dataHash });
  for await (const event of publisher.listEvents({ fromBlock: (events.at(-1)?.blockNumber ?? 0n) + 1n })) {
    throw new Error(`${event.eventName} happened before.`);
  }
});

it("reads many blocks in pages with their last block, also through an RPC with a lower limit", async () => {
  const registry = await testRegistry();
  const { chain, deployment } = registry;
  const fromBlock = await chain.getBlockNumber();
  await chain.mine({ blocks: 6_000 });
  const { did } = await registerApp(registry);
  const rpc = await createLimitedRpc(chain.transport.url ?? "", { maxLogBlocks: 1_000 });
  const client = createAppRegistryClient({ deployment, publicClient: rpc.client });
  const pages: EventPage[] = [];
  for await (const page of client.listEvents({ fromBlock }).pages()) pages.push(page);
  expect(pages.map(({ toBlock }) => toBlock)).toEqual([fromBlock + 4_999n, await chain.getBlockNumber()]);
  const minted = pages.flatMap(({ events }) => events).filter(({ eventName }) => eventName === "AppMinted");
  expect(minted).toMatchObject([{ args: { did } }]);
  expect(rpc.refused).toBeGreaterThan(0);
});
