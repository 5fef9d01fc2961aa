import { request } from "undici";

/** What an indexer said: a JSON text or lines of them, in UTF-8. */
export type IndexerAnswer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  bytes: Uint8Array<ArrayBuffer>;
};

/** Milliseconds that indexers have for an answer together: a database that restarts may take half of them. */
const TIMEOUT = 8_000;

/** Of each list of indexers, the place of the one that answered last. */
const preferredIndexer = new WeakMap<readonly string[], number>();

/**
 * Asks one indexer after another until one answers without a failure of its own (5xx); the one that did so last comes
 * first. They share `timeout`, in milliseconds, so that one that hangs leaves time for the others. A `body` is posted.
 * @returns the last answer, which may be a failure; undefined when none answered.
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

/** The value that an answer holds. */
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
