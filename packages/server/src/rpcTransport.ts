import { collectMessages, createKeyRedactor } from "@app-registry/sdk/internal";
import { Agent, interceptors, request } from "undici";
import { type HttpTransport, http, RpcRequestError, withRetry } from "viem";
import { TtlCache } from "./async.ts";
import { metrics } from "./metrics.ts";

/** Time limit of a request, in milliseconds. A slower RPC counts as unavailable. */
const RPC_TIMEOUT = 8_000;

/**
 * Lifetime of cached reads at a block number, in milliseconds, so that the parts of a page and pages at the same block
 * share them. Short, because a reorganization assigns the number to another block.
 */
const CACHE_TTL_MS = 1_000;
/** Maximum number of cached results, enough for some pages. The largest contain a document. */
const MAX_CACHED_ANSWERS = 300;

/**
 * Error messages of nodes for a missing block, after another node of the same endpoint returned its number or during a
 * reorganization. JSON-RPC has no error code for it.
 */
const UNKNOWN_BLOCK_ERROR =
  /header not found|unknown block|invalid block tag|block height is|block\b.*(not found|out of range|not available)/i;
/** Retries for a missing block: their number, and the delay in milliseconds. */
const UNKNOWN_BLOCK_RETRY = { retryCount: 3, delay: 300 };

/** Returns true if a contract chose the message of an error: nodes include its revert reason (code 3). */
function isRevert(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof RpcRequestError && cause.code === 3) return true;
  return false;
}

/** HTTP dispatcher. Used instead of `fetch`, which would take most of the time of a page with a dozen requests. */
const dispatcher = new Agent().compose(interceptors.redirect({ maxRedirections: 3 }));

function hasBlockNumber({ method, params }: { method: string; params?: unknown }): boolean {
  const [first, second] = Array.isArray(params) ? params : [];
  const numbers: Record<string, unknown[]> = {
    eth_call: [second],
    eth_getBlockByNumber: [first],
    eth_getLogs: [first?.fromBlock, first?.toBlock],
  };
  return numbers[method]?.every((block) => typeof block === "string" && block.startsWith("0x")) ?? false;
}

async function post(url: string, init: RequestInit | undefined) {
  const { body, ...answer } = await request(url, {
    dispatcher,
    method: "POST",
    headers: init?.headers as Record<string, string>,
    body: String(init?.body),
    signal: init?.signal ?? null,
  });
  return { ...answer, text: await body.text() };
}

/**
 * Creates a transport for an RPC over HTTP. Removes parts of the URL that may be an API key from errors, because some
 * RPCs include the key in their errors, which responses, pages and logs quote.
 */
export function rpcTransport(rpcUrl: string): HttpTransport {
  const withoutKeys = createKeyRedactor(rpcUrl);
  const fetchFn: typeof fetch = async (input, init) => {
    const startedAt = performance.now();
    const count = (outcome: string) => metrics().rpc(outcome, (performance.now() - startedAt) / 1_000);
    const { statusCode, statusText, headers, text } = await post(String(input), init).catch((error) => {
      count("unreachable");
      throw error;
    });
    const isPlain = statusCode < 300 && !text.includes('"error"');
    count(isPlain ? "answered" : "error");
    const shown = isPlain ? text : withoutKeys(text);
    const retryAfter = headers["retry-after"];
    return new Response(shown, {
      status: statusCode,
      statusText,
      headers: {
        "content-type": String(headers["content-type"] ?? ""),
        ...(retryAfter && { "retry-after": String(retryAfter) }),
      },
    });
  };
  const transport = http(rpcUrl, { batch: true, timeout: RPC_TIMEOUT, retryCount: 1, fetchFn });
  const answers = new TtlCache<unknown>(MAX_CACHED_ANSWERS);
  return (parameters) => {
    const opened = transport(parameters);
    const ask = (call: { method: string; params?: unknown }, options?: object) => {
      const send = (): Promise<unknown> => opened.request(call, options);
      if (!hasBlockNumber(call)) return send();
      const shouldRetry = ({ error }: { error: Error }) =>
        !isRevert(error) && UNKNOWN_BLOCK_ERROR.test(collectMessages(error));
      const patiently = () => withRetry(send, { ...UNKNOWN_BLOCK_RETRY, shouldRetry });
      return answers.get(JSON.stringify(call), () => CACHE_TTL_MS, patiently);
    };
    return { ...opened, request: ask as typeof opened.request };
  };
}
