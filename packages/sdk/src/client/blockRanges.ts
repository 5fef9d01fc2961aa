import { BaseError, HttpRequestError, RpcRequestError } from "viem";

/** A span of blocks, both ends included. */
export type BlockRange = { fromBlock: bigint; toBlock: bigint };

/** An RPC that refuses a span this small refuses for another reason. */
const smallestSpan = 64n;

/**
 * Reads logs over a span of blocks. Public RPCs limit the span or the number of logs of one call, each with its own
 * error, so a span that the RPC refuses is read in halves.
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

/** True if the RPC refused; false if it didn't answer. */
function refusesSpan(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  if (error.walk((inner) => inner instanceof RpcRequestError)) return true;
  const http = error.walk((inner) => inner instanceof HttpRequestError);
  return http instanceof HttpRequestError && (http.status === 400 || http.status === 413);
}
