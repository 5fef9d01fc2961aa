import { collectMessages, createKeyRedactor } from "@app-registry/sdk/internal";
import { Agent, interceptors, request } from "undici";
import { type HttpTransport, http, RpcRequestError, withRetry } from "viem";
import { metrics } from "./metrics.ts";
import { TtlCache } from "./TtlCache.ts";

/** Milliseconds; a public RPC that takes longer is treated as away. */
const RPC_TIMEOUT = 8_000;

/**
 * What a numbered block says is shared by whoever asks within this many milliseconds, so that the parts of a page, and
 * pages at one block, ask for it once. No longer, because a reorganisation gives the number to another block.
 */
const CACHE_TTL_MS = 1_000;
/** Answers that are kept: those of some pages. The largest hold a document. */
const MAX_CACHED_ANSWERS = 300;

/**
 * How nodes word that they don't have a block: another node of the same endpoint named it, or a reorganisation is under
 * way. JSON-RPC has no code for it.
 */
const UNKNOWN_BLOCK_ERROR =
  /header not found|unknown block|invalid block tag|block height is|block\b.*(not found|out of range|not available)/i;
/** Asks again for such a block, so often and after so many milliseconds. */
const UNKNOWN_BLOCK_RETRY = { retryCount: 3, delay: 300 };

/** Returns true if a contract chose the words of an error: nodes repeat what it reverts with (code 3). */
function isRevert(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof RpcRequestError && cause.code === 3) return true;
  return false;
}

/** A page asks a dozen times, and `fetch` costs it more than what it does with the answers. */
const dispatcher = new Agent().compose(interceptors.redirect({ maxRedirections: 3 }));

/** Whether a call names the block that it is about by its number. */
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
 * Asks an RPC over HTTP. Some name in their errors the key that they were asked with: answers, pages and log lines quote
 * such an error, so the parts of the URL that may be a key are cut out of it before anything reads it.
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
      const anew = (): Promise<unknown> => opened.request(call, options);
      if (!hasBlockNumber(call)) return anew();
      const shouldRetry = ({ error }: { error: Error }) =>
        !isRevert(error) && UNKNOWN_BLOCK_ERROR.test(collectMessages(error));
      const patiently = () => withRetry(anew, { ...UNKNOWN_BLOCK_RETRY, shouldRetry });
      return answers.get(JSON.stringify(call), () => CACHE_TTL_MS, patiently);
    };
    return { ...opened, request: ask as typeof opened.request };
  };
}
