import "server-only";
import {
  type FetchedDocument,
  RecordedDocumentError,
  type RecordedDocumentErrorCode,
  readRecordedDocument,
} from "@app-registry/outbound";
import {
  compareDocument,
  parseJsonStrict,
  type StoredMetadata,
  toAppRegistryError,
  type VersionRecord,
} from "@app-registry/sdk";
import { TtlCache, withTimeout } from "@app-registry/server/async";
import { registry } from "../server/registry.ts";
import { readServiceMetadata, type ServiceMetadata } from "./serviceMetadata.ts";

/** Cache time of what a host or the chain answered, shared by all visitors, in milliseconds. */
export const ANSWER_AGE = 60_000;
/** Cache time while a host or the chain does not respond, and minimum time between rechecks, in milliseconds. */
export const SHORT_AGE = 5_000;

const hostDocuments = new TtlCache<{ document: FetchedDocument } | { error: unknown }>(30, (kept) =>
  "error" in kept ? SHORT_AGE : ANSWER_AGE,
);

/**
 * Fetches the document at a dataUrl. All readers share one request, so that a page and its facts in every block need
 * only one. The request has its own time limit, because the first reader may wait less than the others.
 *
 * @param isRecheck Fetches again unless someone just did
 */
export async function fetchHostDocument(url: string, { isRecheck = false } = {}): Promise<FetchedDocument> {
  const answer = await hostDocuments.get(
    url,
    () =>
      registry()
        .guardedFetch.fetchDocument(url)
        .then(
          (document) => ({ document }),
          (error: unknown) => ({ error }),
        ),
    isRecheck ? (kept) => ("error" in kept ? 0 : SHORT_AGE) : undefined,
  );
  if ("error" in answer) throw answer.error;
  return answer.document;
}

/** Problem that a page shows for something that is missing or unavailable. */
export type PageProblem = {
  title: string;
  why?: string;
  detail?: string;
  tone?: "fail" | "unknown" | "neutral";
};

/** Metadata document of the shown version, only if it matches the record's hash. */
export type ServiceDocument =
  | { ok: true; json: unknown; metadata: ServiceMetadata }
  | { ok: false; problem: PageProblem };

const documentProblems: Record<
  RecordedDocumentErrorCode,
  { title: string; tone: "fail" | "unknown"; why: string }
> = {
  "hash-mismatch": {
    title: "The document doesn't match the record",
    tone: "fail",
    why: "The document its host serves now doesn't match the registered hash, so we don't show it.",
  },
  "document-unreachable": {
    title: "Couldn't load the metadata document",
    tone: "unknown",
    why: "We couldn't load the document from its host. Everything else comes from the chain.",
  },
  "document-invalid": {
    title: "The metadata document can't be verified",
    tone: "fail",
    why: "The document isn't JSON with a canonical form (RFC 8785), so it can't be compared with the record.",
  },
};

/** Documents on the chain. `fetchHostDocument` caches the others. */
const documents = new TtlCache<ServiceDocument>(200, 0);

/** Time that a page waits for a document, in milliseconds. A late document is cached for the next page. */
const PATIENCE = 3_000;

/**
 * Reads a version's document from the chain's copy, which never changes, or else from the recorded dataUrl. Only a
 * document that matches the recorded hash is returned.
 * @param stored Stored JSON of the DID, if the caller has read it. It may be this version's.
 */
export function readServiceDocument(
  record: VersionRecord,
  stored?: StoredMetadata | undefined,
): Promise<ServiceDocument> {
  const key = `${record.dataHash} ${record.dataHashAlgorithm} ${record.pointer ?? record.dataUrl}`;
  const document = documents.get(
    key,
    () => readDocument(record, stored),
    ({ ok }) => (ok && record.pointer !== undefined ? Number.POSITIVE_INFINITY : 0),
  );
  return withTimeout(document, PATIENCE, () => ({
    ok: false,
    problem: documentProblems["document-unreachable"],
  }));
}

async function readDocument(
  record: VersionRecord,
  stored: StoredMetadata | undefined,
): Promise<ServiceDocument> {
  const { client } = registry();
  const guardedFetch = { fetchDocument: (url: string | URL) => fetchHostDocument(String(url)) };
  try {
    const known = stored?.dataHash === record.dataHash ? compareDocument(stored.json, record) : undefined;
    const { canonical } = known?.matches
      ? known
      : await readRecordedDocument({ client, guardedFetch, record });
    const json = parseJsonStrict(canonical);
    return { ok: true, json, metadata: readServiceMetadata(json) };
  } catch (thrown) {
    if (thrown instanceof RecordedDocumentError) {
      return { ok: false, problem: { ...documentProblems[thrown.code], detail: thrown.shortMessage } };
    }
    const error = toAppRegistryError(thrown);
    const problem = {
      ...documentProblems["document-unreachable"],
      why: error.shortMessage,
      detail: error.message,
    };
    return { ok: false, problem };
  }
}
