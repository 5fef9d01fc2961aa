import "server-only";
import type { FetchedDocument } from "@app-registry/outbound";
import { TtlCache } from "@app-registry/server/TtlCache";
import { registry } from "../server/registry.ts";

/** Cache time of a document, of a failed request, and minimum time between rechecks, in milliseconds. */
const DOCUMENT_AGE = 60_000;
const SHORT_AGE = 5_000;

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
    (kept) => ("error" in kept ? (isRecheck ? 0 : SHORT_AGE) : isRecheck ? SHORT_AGE : DOCUMENT_AGE),
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
