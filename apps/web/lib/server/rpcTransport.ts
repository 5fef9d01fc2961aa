import { withoutKeysOf } from "@app-registry/sdk/internal";
import { type HttpTransport, http } from "viem";

/** Milliseconds; a public RPC that takes longer is treated as away. */
const RPC_TIMEOUT = 8_000;

/**
 * Asks an RPC over HTTP. Some name in their errors the key that they were asked with: answers, pages and log lines quote
 * such an error, so the parts of the URL that may be a key are cut out of it before anything reads it.
 */
export function rpcTransport(rpcUrl: string): HttpTransport {
  const withoutKeys = withoutKeysOf(rpcUrl);
  const fetchFn: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const { status, statusText, headers } = response;
    const text = await response.text();
    const isPlain = response.ok && !text.includes('"error"');
    const shown = isPlain ? text : withoutKeys(text);
    return new Response(shown, { status, statusText, headers });
  };
  return http(rpcUrl, { batch: true, timeout: RPC_TIMEOUT, retryCount: 1, fetchFn });
}
