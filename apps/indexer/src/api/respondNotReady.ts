import type { Context } from "hono";
import { getChainHead } from "./getChainHead.ts";
import type { IndexState } from "./indexState.ts";

/**
 * Responds with 503 `not-ready` and the progress: `block` is the last indexed block, `chainBlock` the latest block of
 * the chain, or null while the RPC is unavailable.
 */
export async function respondNotReady(context: Context, { block = 0 }: IndexState) {
  const chainBlock = await getChainHead();
  const detail =
    chainBlock === null
      ? `Indexed up to block ${block}. The chain's latest block is not known.`
      : `Block ${block} of ${chainBlock} is indexed (${Math.floor((100 * block) / Math.max(1, chainBlock))} %).`;
  const title = "The index is being built.";
  return context.body(
    JSON.stringify({ type: "about:blank", title, status: 503, code: "not-ready", detail, block, chainBlock }),
    503,
    { "content-type": "application/problem+json", "retry-after": "5" },
  );
}
