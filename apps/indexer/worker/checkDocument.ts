import { toPostgresText } from "@app-registry/index/document/keys";
import { type GuardedFetch, GuardedFetchError, type GuardedFetchErrorCode } from "@app-registry/outbound";
import type { DocumentState } from "@app-registry/sdk";
import pLimit from "p-limit";
import { Piscina } from "piscina";
import type {
  ClassifiedDocument,
  classifyDocument,
  parseRecordedMetadata,
  toRecordLabels,
} from "./classifyDocument.ts";
import type { StoredDocument } from "./documents.ts";
import type { OffchainRecord } from "./records.ts";

/** Time limit for reading one document, in milliseconds. The largest that the fetcher accepts take about a second. */
const TIMEOUT = 10_000;

/** Reader that runs in its own thread, so that no document delays the indexer or its API. */
export type DocumentReader = {
  /** Classifies a text. Returns "no-document" also for a text that needs too much time or memory. */
  read(text: string, record: OffchainRecord): Promise<ClassifiedDocument>;
  label(content: StoredDocument["content"], record: OffchainRecord): Promise<StoredDocument["labels"]>;
  /** Returns `undefined` if the text is not the recorded document or needs too much time or memory. */
  metadata(text: string, record: RecordedHash): Promise<ReturnType<typeof parseRecordedMetadata>>;
  close(): Promise<void>;
};

type RecordedHash = Parameters<typeof parseRecordedMetadata>[0]["record"];

export function createDocumentReader(timeout = TIMEOUT): DocumentReader {
  const thread = new Piscina<unknown, unknown>({
    filename: new URL("./classifyDocument.ts", import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 60_000,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  // Run one task at a time, so that waiting for other documents does not use up a document's time limit.
  const limit = pLimit(1);
  const inTurn = <Result>(name: string, task: object) =>
    limit(() => thread.run(task, { name, signal: AbortSignal.timeout(timeout) }) as Promise<Result>);
  return {
    async read(text, record) {
      try {
        return await inTurn<ReturnType<typeof classifyDocument>>("classifyDocument", { text, record });
      } catch {
        return { is: "no-document", reason: "The document needs too much time or memory to process." };
      }
    },
    label: (content, record) =>
      inTurn<ReturnType<typeof toRecordLabels>>("toRecordLabels", { content, record }),
    metadata: (text, record) =>
      inTurn<ReturnType<typeof parseRecordedMetadata>>("parseRecordedMetadata", { text, record }).catch(
        () => undefined,
      ),
    close: () => thread.destroy(),
  };
}

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
