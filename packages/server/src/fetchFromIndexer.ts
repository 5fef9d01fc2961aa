import { request } from "undici";

/** Response of an indexer: JSON or JSON lines, in UTF-8. */
export type IndexerAnswer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  bytes: Uint8Array<ArrayBuffer>;
};

/** Time limit shared by all indexers, in milliseconds. The restart of a database may take half of it. */
const TIMEOUT = 8_000;

/** Index of the indexer that responded last, for each list of indexers. */
const preferredIndexer = new WeakMap<readonly string[], number>();

/**
 * Requests a path from one indexer after another until one responds without a server error (5xx), starting with the
 * last successful one. Splits `timeout`, in milliseconds, so that a slow indexer leaves time for the others. Sends POST
 * if there is a `body`.
 * @returns The last response, which may be an error, or `undefined` if no indexer responded.
 */
export async function fetchFromIndexer(
  urls: readonly string[],
  path: string,
  { timeout = TIMEOUT, body }: { timeout?: number; body?: object } = {},
): Promise<IndexerAnswer | undefined> {
  const first = preferredIndexer.get(urls) ?? 0;
  const deadline = Date.now() + timeout;
  let last: IndexerAnswer | undefined;
  for (let tried = 0; tried < urls.length; tried++) {
    const place = (first + tried) % urls.length;
    const share = Math.max(1, (deadline - Date.now()) / (urls.length - tried));
    const answer = await ask(new URL(path, urls[place]), share, body).catch(() => undefined);
    if (answer && answer.status < 500) {
      preferredIndexer.set(urls, place);
      return answer;
    }
    last = answer ?? last;
  }
  return last;
}

/** Parses the JSON of a response. */
export const parseAnswer = ({ bytes }: Pick<IndexerAnswer, "bytes">): unknown =>
  JSON.parse(new TextDecoder().decode(bytes));

const JSON_TYPE = /^application\/((problem\+)?json|x-ndjson)\b/;

async function ask(url: URL, timeout: number, posted?: object): Promise<IndexerAnswer> {
  const { statusCode, headers, body } = await request(url, {
    ...(posted && {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(posted),
    }),
    signal: AbortSignal.timeout(Math.ceil(timeout)),
  });
  const bytes = new Uint8Array(await body.arrayBuffer());
  if (!JSON_TYPE.test(String(headers["content-type"])))
    throw new Error("This response did not come from an indexer.");
  return { status: statusCode, headers, bytes };
}
