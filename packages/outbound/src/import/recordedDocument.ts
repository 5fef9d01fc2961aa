import type { AppRegistryClient, HashAlgorithm, VersionRecord } from "@app-registry/sdk";
import { AppRegistryError, compareDocument, JsonDocumentError } from "@app-registry/sdk";
import type { Hex } from "viem";
import type { GuardedFetch } from "../fetch/guardedFetch.ts";
import { GuardedFetchError } from "../fetch/guardedFetchError.ts";

/** Stable error code of a version's document that can't be shown. */
export type RecordedDocumentErrorCode = "hash-mismatch" | "document-unreachable" | "document-invalid";

/** Error for a version's metadata document that can't be read or doesn't match the registered hash. */
export class RecordedDocumentError extends AppRegistryError {
  override readonly name = "RecordedDocumentError";
  readonly code: RecordedDocumentErrorCode;

  constructor(
    code: RecordedDocumentErrorCode,
    message: string,
    options: { retryable?: boolean; cause?: unknown } = {},
  ) {
    super(message, { ...options, docsPath: "/http-api#routes" });
    this.code = code;
  }
}

/** Fields of a record that identify its document. */
type RecordedHash = { dataUrl: string; dataHash: Hex; dataHashAlgorithm: HashAlgorithm };

/**
 * Reads the metadata document of a version: the copy on the chain if there is one, else the document at the recorded
 * dataUrl. The text is canonical (RFC 8785) and matches the registered hash.
 * @throws {RecordedDocumentError} if there is no such text at the moment.
 * @example
 * const record = await client.getVersionRecord({ did, version: { major: 1, minor: 0, patch: 0 } });
 * const { canonical, source } = await readRecordedDocument({ client, guardedFetch, record });
 * source; // "chain"
 */
export async function readRecordedDocument(parameters: {
  client: AppRegistryClient;
  guardedFetch: Pick<GuardedFetch, "fetchDocument">;
  record: VersionRecord;
}): Promise<{ canonical: string; source: "chain" | "data-url" }> {
  const { client, guardedFetch, record } = parameters;
  const source = record.pointer ? "chain" : "data-url";
  const text = record.pointer
    ? await client.getMetadataAt(record.pointer)
    : await fetchText(guardedFetch, record.dataUrl);
  const { canonical, dataHash, matches } = compareText(text, record);
  if (!matches) {
    const message = `The document at ${record.dataUrl} has dataHash ${dataHash}, but the registry records ${record.dataHash}.`;
    throw new RecordedDocumentError("hash-mismatch", message);
  }
  return { canonical, source };
}

/** Result of `checkServedDocument`. `dataHash` is the hash of the document that the URL serves instead. */
export type ServedDocument = { ok: true } | { ok: false; dataHash?: Hex; reason: string };

/**
 * Checks whether a URL serves the document with a given hash, as {@link readRecordedDocument} would read it. Lets a
 * publisher find problems before a record contains the URL.
 * @example
 * const { ok } = await checkServedDocument({ guardedFetch, dataUrl, dataHash, dataHashAlgorithm: 0 });
 * ok; // true
 */
export async function checkServedDocument(
  recorded: RecordedHash & { guardedFetch: GuardedFetch },
): Promise<ServedDocument> {
  try {
    const text = await fetchText(recorded.guardedFetch, recorded.dataUrl);
    const { dataHash, matches } = compareText(text, recorded);
    if (matches) return { ok: true };
    return { ok: false, dataHash, reason: `The JSON at this URL has a different dataHash: ${dataHash}.` };
  } catch (error) {
    if (!(error instanceof RecordedDocumentError)) throw error;
    return { ok: false, reason: error.shortMessage };
  }
}

async function fetchText(guardedFetch: Pick<GuardedFetch, "fetchDocument">, url: string): Promise<string> {
  try {
    return (await guardedFetch.fetchDocument(url)).text;
  } catch (error) {
    if (!(error instanceof GuardedFetchError)) throw error;
    const { shortMessage, retryable } = error;
    throw new RecordedDocumentError("document-unreachable", shortMessage, { retryable, cause: error });
  }
}

function compareText(text: string, record: RecordedHash): ReturnType<typeof compareDocument> {
  try {
    return compareDocument(text, record);
  } catch (error) {
    if (!(error instanceof JsonDocumentError)) throw error;
    throw new RecordedDocumentError("document-invalid", `${record.dataUrl}: ${error.message}`, {
      cause: error,
    });
  }
}
