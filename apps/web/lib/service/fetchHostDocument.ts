import "server-only";
import type { FetchedDocument } from "@app-registry/outbound";
import { TtlCache } from "@app-registry/server/TtlCache";
import { registry } from "../server/registry.ts";

/** Cache time of what a host or the chain answered, shared by all visitors, in milliseconds. */
export const ANSWER_AGE = 60_000;
/** Cache time while a host or the chain does not respond, and minimum time between rechecks, in milliseconds. */
export const SHORT_AGE = 5_000;

const documents = new TtlCache<{ document: FetchedDocument } | { error: unknown }>(30);

/**
 * Fetches the document at a dataUrl. All readers share one request, so that a page and its facts in every block need
 * only one. The request has its own time limit, because the first reader may wait less than the others.
 *
 * @param isRecheck Fetches again unless someone just did
 */
export async function fetchHostDocument(url: string, { isRecheck = false } = {}): Promise<FetchedDocument> {
  const answer = await documents.get(
    url,
    (kept) => ("error" in kept ? (isRecheck ? 0 : SHORT_AGE) : isRecheck ? SHORT_AGE : ANSWER_AGE),
    () =>
      registry()
        .guardedFetch.fetchDocument(url)
        .then(
          (document) => ({ document }),
          (error: unknown) => ({ error }),
        ),
  );
  if ("error" in answer) throw answer.error;
  return answer.document;
}
