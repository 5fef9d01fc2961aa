import { expect } from "chai";
import type { AppRegistry } from "../../packages/sdk/generated/ethers/index.ts";

/**
 * Returns the token ids of all pages of a listing, in order. Calls `between` after each page. Decodes only the first
 * word of each record, because decoding whole records would take many times as long as reading them.
 */
export async function listTokenIds(
  registry: AppRegistry,
  listing: "getAppsByStatus" | "getAppsByOwner" | "getAppsByInterface",
  query: readonly unknown[],
  limit: number,
  between: (page: number) => Promise<unknown> = async () => {},
): Promise<number[]> {
  const to = await registry.getAddress();
  const found: number[] = [];
  let cursor = 0;
  for (let number = 1; ; number++) {
    const data = registry.interface.encodeFunctionData(
      listing as "getAppsByStatus",
      [...query, cursor, limit] as never,
    );
    const { tokenIds, nextCursor } = readPage((await registry.runner?.provider?.call({ to, data })) ?? "");
    expect(tokenIds.length).to.be.at.most(limit);
    found.push(...tokenIds);
    if (nextCursor === 0) return found;
    expect(nextCursor).to.be.greaterThan(cursor);
    cursor = nextCursor;
    await between(number);
  }
}

/** Reads the token ids and the cursor of an ABI-encoded (AppSummary[] page, uint256 nextCursor). */
function readPage(data: string): { tokenIds: number[]; nextCursor: number } {
  const word = (index: number) => Number(BigInt(`0x${data.slice(2 + index * 64, 66 + index * 64)}`));
  const start = word(0) / 32 + 1;
  const tokenIds = Array.from({ length: word(start - 1) }, (_, i) => word(start + word(start + i) / 32));
  return { tokenIds, nextCursor: word(1) };
}
