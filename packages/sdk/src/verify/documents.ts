import type { Address, Hex } from "viem";
import type { AppSummary, VersionEntry } from "../client/app.ts";
import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import type { VersionRecord } from "../client/version.ts";
import type { CanonicalDid } from "../did.ts";
import { AppRegistryError, InvalidArgumentError, withoutKey } from "../errors/appRegistryError.ts";
import { isTransientStatus } from "../errors/networkErrors.ts";
import { compareDocument, type HashAlgorithm, hashAlgorithmName } from "../hash.ts";
import { MAX_DOCUMENT_SIZE } from "../metadata/limits.ts";
import type { AppStatus } from "../recordEnums.ts";
import type { VersionSelector } from "../version.ts";
import { getMessage, isOfCaller } from "./facts.ts";
import type { Fact, Step } from "./report.ts";

/** Version to verify, with its record in the registry. */
export type Target = {
  did: CanonicalDid;
  tokenId: bigint;
  version: VersionEntry;
  /** True if this is the latest version of its major. */
  current: boolean;
  latestVersion: VersionEntry;
  status: AppStatus;
  owner: Address;
  minter: Address;
  interfaces: number;
  dataUrl: string;
  dataHash: Hex;
  dataHashAlgorithm: HashAlgorithm;
  contractId: string;
  traitHashes: readonly Hex[];
  /** Contract with the JSON of an older version. The current version's JSON is first read by DID. */
  pointer?: Address | undefined;
};

/**
 * Reads the version to verify. Default: the latest version of the latest major. `major` selects its latest version,
 * `major.minor` its latest patch. Reading the current version needs no events, so any RPC can serve it.
 */
export async function readTarget(
  client: AppRegistryClient,
  did: CanonicalDid,
  selector: VersionSelector | undefined,
  blockNumber: bigint,
): Promise<Target> {
  const major = selector?.major ?? (await client.latestMajor(did, { blockNumber }));
  const summary = await client.getAppSummary({ did, major, blockNumber });
  if (selector?.minor === undefined || isLatest(selector, summary)) {
    return { ...summary, version: summary.latestVersion, current: true };
  }
  const version = { major, minor: selector.minor, patch: selector.patch };
  return fromRecord(summary, await client.getVersionRecord({ did, version, blockNumber }));
}

/** Returns true if the selector matches the latest version. `x.y` matches when the latest version is any x.y.z. */
const isLatest = ({ minor, patch }: VersionSelector, { latestVersion }: AppSummary) =>
  latestVersion.minor === minor && (patch === undefined || latestVersion.patch === patch);

const fromRecord = (summary: AppSummary, record: VersionRecord): Target => ({
  ...record,
  latestVersion: summary.latestVersion,
  status: summary.status,
  owner: summary.owner,
  minter: summary.minter,
});

type DocumentSource = "dataUrl" | "chain";

/** Result of reading a document and comparing it with the record. */
export type DocumentCheck = { source: DocumentSource; location: string } & (
  | { state: "unavailable"; reason: string }
  | { state: "uncanonical"; bytes: number; reason: string }
  | { state: "hashed"; bytes: number; canonical: string; actual: Hex; matches: boolean }
);

/** Canonicalizes a text (RFC 8785), hashes it and compares the hash with the record's. */
function checkDocument(
  source: DocumentSource,
  location: string,
  text: string,
  target: Pick<Target, "dataHash" | "dataHashAlgorithm">,
): DocumentCheck {
  const bytes = new TextEncoder().encode(text).byteLength;
  try {
    const { dataHash: actual, ...compared } = compareDocument(text, target);
    return { source, location, state: "hashed", bytes, actual, ...compared };
  } catch (error) {
    return { source, location, state: "uncanonical", bytes, reason: getMessage(error) };
  }
}

/** Fetches the text of a document. Throws if its host does not serve it. */
export type FetchDocument = (url: string, options: { signal: AbortSignal }) => Promise<string>;

/** Thrown when the host of a document does not serve it. `retryable` if the same request may succeed later. */
export class DocumentUnavailableError extends AppRegistryError {
  override readonly name = "DocumentUnavailableError";

  constructor(url: string, reason: string, options: { retryable: boolean; cause?: unknown }) {
    super(`Couldn't load the document at ${url}: ${reason}.`, {
      action: options.retryable
        ? "Try again in a moment, or contact the publisher."
        : "Check the URL, or ask the publisher to serve the document there.",
      docsPath: "/sdk#verify",
      ...options,
    });
  }
}

/**
 * Fetches a document with the platform's `fetch`, at most 1 MiB. It requests any http or https address, also one in the
 * network of its process, and follows up to 20 redirects to any such address. A dataUrl is a stranger's text: outside a
 * browser, use the guarded fetcher of `@app-registry/outbound` instead, which reaches public addresses only.
 *
 * @throws {DocumentUnavailableError} when the host does not serve UTF-8 text of at most 1 MiB.
 * @example
 * const text = await fetchDocument(dataUrl, { signal: AbortSignal.timeout(5_000) });
 * canonicalizeJson(text) === metadataJson; // true
 */
export const fetchDocument: FetchDocument = (url, { signal }) => requestDocument(url, { signal, fetch });

/** Fetches a document like {@link fetchDocument}, with a `fetch` of the caller. */
export async function requestDocument(
  url: string,
  { signal, fetch }: { signal: AbortSignal; fetch: typeof globalThis.fetch },
): Promise<string> {
  if (!/^https?:\/\//i.test(url)) throw notServed(withoutKey(String(url)), "it is not an http or https URL");
  try {
    const response = await fetch(url, { signal, headers: { accept: "application/json" } });
    if (!response.ok) {
      const retryable = isTransientStatus(response.status);
      const reason = `its host returned HTTP ${response.status}`;
      throw new DocumentUnavailableError(url, reason, { retryable });
    }
    return decode(url, await readBounded(url, response));
  } catch (error) {
    if (error instanceof AppRegistryError) throw error;
    throw new DocumentUnavailableError(url, "its host is not responding", { retryable: true, cause: error });
  }
}

const notServed = (url: string, reason: string, cause?: unknown) =>
  new DocumentUnavailableError(url, reason, { retryable: false, cause });

async function readBounded(url: string, { body }: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body?.getReader();
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    chunks.push(next.value);
    size += next.value.byteLength;
    if (size > MAX_DOCUMENT_SIZE) {
      await reader?.cancel();
      throw notServed(url, `it is larger than ${MAX_DOCUMENT_SIZE} bytes`);
    }
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

/** Decodes UTF-8. Keeps a byte order mark, so that canonicalization can reject it by name. */
function decode(url: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw notServed(url, "it is not UTF-8 text", cause);
  }
}

/** Runs a function within the remaining time. */
export type InTime = <Result>(what: string, run: (signal: AbortSignal) => Promise<Result>) => Promise<Result>;

/** Reads the chain's copy of the version's JSON. Returns `undefined` if the JSON is not on the chain. */
export async function readChainCopy(
  client: AppRegistryClient,
  target: Target,
  blockNumber: bigint,
  inTime: InTime,
): Promise<DocumentCheck | undefined> {
  const location = client.deployment.contracts.AppMetadata.address;
  try {
    const text = await inTime("The chain's RPC endpoint", () => chainText(client, target, blockNumber));
    return text === undefined ? undefined : checkDocument("chain", location, text, target);
  } catch (error) {
    if (isOfCaller(error)) throw error;
    return { source: "chain", location, state: "unavailable", reason: getMessage(error) };
  }
}

async function chainText(
  client: AppRegistryClient,
  target: Target,
  blockNumber: bigint,
): Promise<string | undefined> {
  const { did, dataHash, version, current } = target;
  if (!current) return target.pointer && client.getMetadataAt(target.pointer, { blockNumber });
  const stored = await client.getMetadata(did, { blockNumber });
  if (!stored) return undefined;
  if (stored.dataHash === dataHash) return stored.json;
  // The latest JSON belongs to another version. The events show if this version's JSON was ever stored.
  const { pointer } = await client.getVersionRecord({ did, version, blockNumber });
  return pointer && client.getMetadataAt(pointer, { blockNumber });
}

/** Reads the document at dataUrl. Returns `undefined` if the caller passed no `fetchDocument`. */
export async function readDataUrl(
  target: Target,
  fetchDocument: FetchDocument | undefined,
  inTime: InTime,
): Promise<DocumentCheck | undefined> {
  if (!fetchDocument) return undefined;
  const { dataUrl } = target;
  try {
    const text = await inTime(`The host of ${dataUrl}`, (signal) => fetchDocument(dataUrl, { signal }));
    if (typeof text !== "string")
      throw new InvalidArgumentError("fetchDocument: expected a function that returns a text");
    return checkDocument("dataUrl", dataUrl, text, target);
  } catch (error) {
    if (isOfCaller(error)) throw error;
    return { source: "dataUrl", location: dataUrl, state: "unavailable", reason: getMessage(error) };
  }
}

const notReached = "Skipped because an earlier step did not pass.";

/** Returns the steps of the dataHash verification, for the document at dataUrl or else the chain's copy. */
export function verificationSteps(
  target: Target,
  document: DocumentCheck | undefined,
  attested: Fact,
): Step[] {
  return [
    ...documentSteps(target, document),
    { step: "attestation", outcome: attested.outcome, reason: attested.reason },
  ];
}

/** Returns the steps for a DID without a record, which has no dataUrl. */
export function stepsWithoutRecord(reason: string): Step[] {
  const steps: Step[] = [{ step: "fetch", outcome: "unknown", reason }];
  for (const step of ["canonicalize", "hash", "compare", "attestation"] as const) {
    steps.push({ step, outcome: "unknown", reason: notReached });
  }
  return steps;
}

function documentSteps(target: Target, document: DocumentCheck | undefined): Step[] {
  const unreached = (...names: Step["step"][]): Step[] =>
    names.map((step) => ({ step, outcome: "unknown", reason: notReached }));
  if (!document || document.state === "unavailable") {
    const reason = document?.reason ?? "The document is not on the chain, and its dataUrl was not checked.";
    return [{ step: "fetch", outcome: "unknown", reason }, ...unreached("canonicalize", "hash", "compare")];
  }
  const fetched: Step = { step: "fetch", outcome: "pass", reason: formatFetchReason(document) };
  if (document.state === "uncanonical") {
    return [
      fetched,
      { step: "canonicalize", outcome: "fail", reason: document.reason },
      ...unreached("hash", "compare"),
    ];
  }
  const algorithm = hashAlgorithmName(target.dataHashAlgorithm);
  return [
    fetched,
    { step: "canonicalize", outcome: "pass", reason: "Converted to canonical form (JCS, RFC 8785)." },
    { step: "hash", outcome: "pass", reason: `The ${algorithm} hash is ${document.actual}.` },
    document.matches
      ? {
          step: "compare",
          outcome: "pass",
          reason: "Matches the record's dataHash: the content is unchanged.",
        }
      : {
          step: "compare",
          outcome: "fail",
          reason: `Doesn't match the record's dataHash ${target.dataHash}: this is not the registered content.`,
        },
  ];
}

function formatFetchReason({
  source,
  location,
  ...document
}: Exclude<DocumentCheck, { state: "unavailable" }>): string {
  const from = source === "chain" ? "the chain (metadata store " : "";
  return `Read ${document.bytes} bytes from ${from}${location}${source === "chain" ? ")" : ""}.`;
}
