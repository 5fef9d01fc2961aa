import { toPostgresText } from "@app-registry/index/document/toPostgresText";
import { type GuardedFetch, GuardedFetchError, type GuardedFetchErrorCode } from "@app-registry/outbound";
import type { DocumentState } from "@app-registry/sdk";
import type { DocumentReader } from "./documentReader.ts";
import type { StoredDocument } from "./documents.ts";
import type { OffchainRecord } from "./records.ts";

/** Result of checking a record's dataUrl. */
export type CheckedDocument = {
  state: DocumentState;
  /** Explanation for the publisher; absent if the recorded document was served. */
  reason?: string;
  kept?: StoredDocument;
  /** True if the host caused the failure, so that its other documents would fail as well. */
  isHostTrouble: boolean;
};

const MAX_REASON = 1_000;

const states: Record<GuardedFetchErrorCode, DocumentState> = {
  "url-not-allowed": "not-allowed",
  "address-not-public": "not-allowed",
  "redirect-not-allowed": "not-allowed",
  "name-not-found": "unreachable",
  unreachable: "unreachable",
  timeout: "unreachable",
  "tls-failed": "unreachable",
  "too-large": "not-served",
  "too-many-redirects": "not-served",
  "too-many-requests": "not-served",
  "robots-disallowed": "not-allowed",
  "http-status": "not-served",
  "content-type": "not-served",
  "content-encoding": "not-served",
  "not-utf8": "not-served",
};

/** HTTP statuses by which a host limits the rate of requests or refuses all of them for now. */
const retryLaterStatuses = new Set([429, 503]);

/**
 * Requests a record's dataUrl and compares the response with the record.
 *
 * @throws the abort reason of `signal`, or HostBusyError of a polite fetcher. Other failures of a host or a document
 * are returned.
 */
export async function checkDocument(
  record: OffchainRecord,
  tools: {
    guardedFetch: Pick<GuardedFetch, "fetchDocument">;
    reader: DocumentReader;
  },
  signal: AbortSignal,
): Promise<CheckedDocument> {
  let text: string;
  try {
    ({ text } = await tools.guardedFetch.fetchDocument(record.dataUrl, { signal }));
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof GuardedFetchError)) throw error;
    const state = states[error.code];
    return {
      state,
      reason: toPostgresText(error.shortMessage, MAX_REASON),
      isHostTrouble: state === "unreachable" || retryLaterStatuses.has(error.status ?? 0),
    };
  }
  const read = await tools.reader.read(text, record);
  signal.throwIfAborted();
  if (read.is === "recorded") return { state: "served", kept: read.kept, isHostTrouble: false };
  const where = `The document at ${record.dataUrl}`;
  const why =
    read.is === "another"
      ? `${where} has dataHash ${read.dataHash}, but the registry records ${record.dataHash}.`
      : `${where} is not JSON that can be hashed: ${read.reason}`;
  const state = read.is === "another" ? "mismatch" : "not-json";
  return { state, reason: toPostgresText(why, MAX_REASON), isHostTrouble: false };
}
