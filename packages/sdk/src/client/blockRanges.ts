import { BaseError, HttpRequestError, RpcRequestError } from "viem";

/** Range of blocks, both ends included. */
export type BlockRange = { fromBlock: bigint; toBlock: bigint };

/** Smallest range to split, in blocks. An RPC that refuses fewer blocks does so for another reason. */
const smallestSpan = 64n;

/**
 * Reads logs over a range of blocks. Splits the range in half whenever the RPC refuses it, because public RPCs limit
 * the blocks or logs of one call, each with its own error.
 */
export async function readInRanges<Log>(
  range: BlockRange,
  read: (range: BlockRange) => Promise<readonly Log[]>,
): Promise<Log[]> {
  if (range.fromBlock > range.toBlock) return [];
  try {
    return [...(await read(range))];
  } catch (error) {
    const span = range.toBlock - range.fromBlock;
    if (span < smallestSpan || !refusesSpan(error)) throw error;
    const middle = range.fromBlock + span / 2n;
    const older = await readInRanges({ fromBlock: range.fromBlock, toBlock: middle }, read);
    return older.concat(await readInRanges({ fromBlock: middle + 1n, toBlock: range.toBlock }, read));
  }
}

/** Returns true if the RPC refused the request, and false if it did not respond. */
function refusesSpan(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  if (error.walk((inner) => inner instanceof RpcRequestError)) return true;
  const http = error.walk((inner) => inner instanceof HttpRequestError);
  return http instanceof HttpRequestError && (http.status === 400 || http.status === 413);
}
