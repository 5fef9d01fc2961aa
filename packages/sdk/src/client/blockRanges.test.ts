import { HttpRequestError, RpcRequestError } from "viem";
import { describe, expect, it } from "vitest";
import { type BlockRange, readInRanges } from "./blockRanges.ts";

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
