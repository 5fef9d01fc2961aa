import { type HttpTransport, http } from "viem";

/** Milliseconds; a public RPC that takes longer is treated as away. */
const RPC_TIMEOUT = 8_000;

/** Letters of the shortest part of a URL that may be a key. */
const SHORTEST_KEY = 8;

/**
 * Asks an RPC over HTTP. Some name in their errors the key that they were asked with: answers, pages and log lines quote
 * such an error, so the parts of the URL that may be a key are cut out of it before anything reads it.
 */
export function rpcTransport(rpcUrl: string): HttpTransport {
  const secrets = secretsOf(rpcUrl);
  const fetchFn: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const { status, statusText, headers } = response;
    const text = await response.text();
    const isPlain = response.ok && !text.includes('"error"');
    const shown = isPlain ? text : secrets.reduce((left, secret) => left.replaceAll(secret, "…"), text);
    return new Response(shown, { status, statusText, headers });
  };
  return http(rpcUrl, { batch: true, timeout: RPC_TIMEOUT, retryCount: 1, fetchFn });
}

/** The credentials, the path's parts and the query's values, as they stand in the URL and decoded. */
function secretsOf(rpcUrl: string): string[] {
  const { username, password, pathname, searchParams } = new URL(rpcUrl);
  const written = [username, password, ...pathname.split("/")];
  const parts = [...written, ...written.map(decoded), ...searchParams.values()];
  return [...new Set(parts)]
    .filter((part) => part.length >= SHORTEST_KEY)
    .toSorted((one, other) => other.length - one.length);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
