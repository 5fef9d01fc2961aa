import { checkArguments } from "../arguments.ts";
import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import { getLatestBlockNumber } from "../client/events.ts";
import { isNotRegisteredError } from "../client/notRegistered.ts";
import { normalizeDid } from "../did.ts";
import { withTimeLimit } from "../errors/networkErrors.ts";
import { toAppRegistryError } from "../errors/toAppRegistryError.ts";
import { hashAlgorithmName } from "../hash.ts";
import { isoTime } from "../isoTime.ts";
import { isJsonObject, parseJsonStrict } from "../json.ts";
import { checkPublishable, type Problem } from "../metadata/checkPublishable.ts";
import type { Metadata } from "../metadata/metadataSchema.ts";
import type { GetSite } from "../origin.ts";
import { appStatusLabels } from "../recordEnums.ts";
import { traitHash } from "../traits.ts";
import { formatVersion, toVersionSelector, type VersionSelector } from "../version.ts";
import { controlFact, describeLive, explainEndedAttestation, findLongestLived } from "./controlFact.ts";
import {
  type DocumentCheck,
  type FetchDocument,
  type InTime,
  readChainCopy,
  readDataUrl,
  readTarget,
  stepsWithoutRecord,
  type Target,
  verificationSteps,
} from "./documents.ts";
import { createUnansweredFact, fail, pass, unknown } from "./facts.ts";
import type { ReadLiveFact } from "./live.ts";
import { originFact } from "./originFact.ts";
import type { Fact, Step, VerificationReport } from "./report.ts";

export type VerifyAppParameters = {
  client: AppRegistryClient;
  did: string;
  /**
   * Version to verify, `1.2.3` or its parts. Default: the latest version of the latest major. `1.2` selects its latest
   * patch.
   */
  version?: VersionSelector | string | undefined;
  /** Fetches the document at dataUrl. Default: only the chain's copy is checked. */
  fetchDocument?: FetchDocument | undefined;
  /**
   * Time limit for all checks together, in milliseconds. Facts that are not read by then are `unknown`. Default 10,000.
   */
  timeoutMs?: number | undefined;
  /**
   * Returns the site of a host, for *origin*. Without it, an address on a host other than the DID's is `unknown` at
   * best.
   */
  siteOf?: GetSite | undefined;
  /** Reads the fact *live*. Without it, the report has five facts. */
  readLive?: ReadLiveFact | undefined;
  /** Block to verify, for a caller that makes further reads at the same block. Default: the latest. */
  blockNumber?: bigint | undefined;
};

const noRecord = "There is no record, so no document could be checked.";

/**
 * Verifies a service. The report has five facts, and with `readLive` a sixth, each with outcome, reason and evidence;
 * notes for the publisher; and the steps of the dataHash verification. A host or an RPC that does not respond makes a
 * fact `unknown` and throws nothing.
 *
 * @throws {InvalidArgumentError} when an argument has the wrong type.
 * @throws {InvalidDidError} when the DID is not valid.
 * @throws {InvalidVersionError} when the version is not valid.
 * @throws {WrongChainError} when the client's RPC serves another chain.
 * @example
 * const { facts } = await verifyApp({ client, did, fetchDocument, siteOf });
 * Object.values(facts).every(({ outcome }) => outcome === "pass"); // true
 */
export async function verifyApp(parameters: VerifyAppParameters): Promise<VerificationReport> {
  return (await verifyRegistered(parameters)).report;
}

/** Report with the record and the registered metadata that it is about. Both are absent if they couldn't be read. */
export type VerifiedRecord = { report: VerificationReport; target?: Target; metadata?: unknown };

/**
 * Verifies a service like {@link verifyApp}.
 *
 * @param prefersChain True to fetch the document at dataUrl only if the chain has no copy of it.
 */
export async function verifyRegistered(
  parameters: VerifyAppParameters,
  prefersChain = false,
): Promise<VerifiedRecord> {
  checkArguments("client did fetchDocument? timeoutMs? siteOf? readLive? blockNumber?", parameters);
  const { client, did: input, timeoutMs = 10_000 } = parameters;
  const version = parameters.version === undefined ? undefined : toVersionSelector(parameters.version);
  const did = normalizeDid(input);
  const started = Date.now();
  const inTime: InTime = async (what, run) => {
    try {
      return await withTimeLimit(what, Math.max(1, started + timeoutMs - Date.now()), run);
    } catch (error) {
      throw toAppRegistryError(error);
    }
  };
  const report = { did, checkedAt: Math.floor(started / 1000) };
  let blockNumber: bigint | undefined;
  try {
    const block = parameters.blockNumber ?? (await inTime(chain, () => getLatestBlockNumber(client)));
    blockNumber = block;
    const target = await inTime(chain, () => readTarget(client, did, version, block));
    const verified = await verifyTarget({ ...parameters, target, blockNumber: block, inTime, prefersChain });
    const { metadata, ...findings } = verified;
    return { report: { ...report, ...findings }, target, metadata };
  } catch (error) {
    return { report: { ...report, ...withoutRecord(error, blockNumber) } };
  }
}

const chain = "The chain's RPC endpoint";

type Findings = Omit<VerificationReport, "did" | "checkedAt">;

type TargetParameters = Pick<VerifyAppParameters, "client" | "fetchDocument" | "siteOf" | "readLive"> & {
  target: Target;
  blockNumber: bigint;
  inTime: InTime;
  prefersChain: boolean;
};

async function verifyTarget({
  client,
  target,
  blockNumber,
  fetchDocument,
  siteOf,
  readLive,
  inTime,
  prefersChain,
}: TargetParameters): Promise<Findings & { metadata: unknown }> {
  const ask = (read: () => Promise<Fact>): Promise<Fact> => inTime(chain, read).catch(createUnansweredFact);
  const controlRead = ask(() => controlFact(client, target, blockNumber));
  const chainRead = readChainCopy(client, target, blockNumber, inTime);
  const fetchRead = prefersChain
    ? chainRead.then((copy) => (copy ? undefined : readDataUrl(target, fetchDocument, inTime)))
    : readDataUrl(target, fetchDocument, inTime);
  // Prefer the chain's copy: waiting for a host that does not respond leaves no time for checks of the document.
  const metadataRead = chainRead.then(
    async (copy) => registeredMetadata(copy) ?? registeredMetadata(await fetchRead),
  );
  const liveRead =
    readLive && metadataRead.then((metadata) => askService(readLive, target, metadata, inTime));
  const [control, attested, chainCopy, fetched, metadata, origin, live] = await Promise.all([
    controlRead,
    ask(() => attestedFact(client, target, blockNumber)),
    chainRead,
    fetchRead,
    metadataRead,
    Promise.all([controlRead, metadataRead]).then(([control, metadata]) =>
      ask(() => originFact({ client, target, metadata, control, siteOf, blockNumber })),
    ),
    liveRead,
  ]);
  const documents = [chainCopy, fetched].filter((document) => document !== undefined);
  return {
    version: formatVersion(target.version),
    tokenId: String(target.tokenId),
    blockNumber: Number(blockNumber),
    facts: {
      record: recordFact(target),
      control,
      content: contentFact(target, documents),
      attested,
      origin,
      ...(live && { live }),
    },
    notes: metadata === undefined ? null : publisherNotes(target, metadata),
    steps: verificationSteps(target, fetched ?? chainCopy, attested),
    metadata,
  };
}

/** Runs the live check with the registered document, because only that names the addresses of the service. */
const askService = (
  readLive: ReadLiveFact,
  { did, interfaces, version }: Target,
  metadata: unknown,
  inTime: InTime,
): Promise<Fact> | Fact =>
  metadata === undefined
    ? unknown("The registered document couldn't be read, so the service was not checked.")
    : inTime("The service", () =>
        readLive({ did, version: formatVersion(version), interfaces, metadata: metadata as Metadata }),
      ).catch(createUnansweredFact);

/** Returns the metadata of a document that matches the record. A changed document is no evidence about the record. */
function registeredMetadata(document: DocumentCheck | undefined): unknown {
  return document?.state === "hashed" && document.matches ? parseJsonStrict(document.canonical) : undefined;
}

function withoutRecord(error: unknown, blockNumber: bigint | undefined): Findings {
  const record = missingRecordFact(error);
  const unchecked = unknown(record.outcome === "fail" ? "There is no record to check." : record.reason);
  return {
    version: null,
    tokenId: null,
    blockNumber: blockNumber === undefined ? null : Number(blockNumber),
    facts: { record, control: unchecked, content: unchecked, attested: unchecked, origin: unchecked },
    notes: null,
    steps: stepsWithoutRecord(record.outcome === "fail" ? noRecord : record.reason),
  };
}

/** Checks that an issuer has a live attestation of the dataHash. */
async function attestedFact(
  client: AppRegistryClient,
  { did, dataHash }: Target,
  blockNumber: bigint,
): Promise<Fact> {
  const attestations = await client.getDataHashAttestations({ did, dataHash, blockNumber });
  const evidence = { dataHash, attestations };
  const best = findLongestLived(attestations);
  if (best) {
    const more = attestations.filter(({ live }) => live).length - 1;
    const others = more > 0 ? `, and by ${more} more` : "";
    const live = describeLive(best);
    return pass(`The dataHash is ${live.words}${others}.`, { ...live.evidence, ...evidence });
  }
  const reason = await explainEndedAttestation(client, attestations, { ended: "was revoked", blockNumber });
  if (!reason) return fail("No issuer has attested this dataHash.", evidence);
  return fail(`No attestation of this dataHash is valid now: ${reason}.`, evidence);
}

const placeNames = { chain: "The copy on the chain", dataUrl: "The document at dataUrl" } as const;

/** Checks that every document that was read matches the record's dataHash. */
function contentFact(target: Target, documents: readonly DocumentCheck[]): Fact {
  const evidence = {
    dataHash: target.dataHash,
    dataHashAlgorithm: hashAlgorithmName(target.dataHashAlgorithm),
    documents: documents.map(getEvidence),
  };
  const reason = documents.map(sentence).join(" ");
  const outcomes = documents.map(getOutcome);
  if (outcomes.includes("fail")) return fail(reason, evidence);
  if (outcomes.includes("unknown")) return unknown(reason, evidence);
  if (documents.length > 0) return pass(reason, evidence);
  return unknown("The document is not on the chain, and its dataUrl was not checked.", evidence);
}

function getOutcome(document: DocumentCheck): Step["outcome"] {
  if (document.state === "unavailable") return "unknown";
  return document.state === "hashed" && document.matches ? "pass" : "fail";
}

function sentence(document: DocumentCheck): string {
  const place = placeNames[document.source];
  if (document.state === "unavailable") return `${place} couldn't be read: ${document.reason}`;
  if (document.state === "uncanonical") return `${place} doesn't match the record: ${document.reason}`;
  return `${place} ${document.matches ? "matches" : "doesn't match"} the record.`;
}

function getEvidence(document: DocumentCheck): Record<string, unknown> {
  const { source, location, state } = document;
  const outcome = getOutcome(document);
  if (state === "unavailable") return { source, location, outcome, reason: document.reason };
  if (state === "uncanonical")
    return { source, location, outcome, bytes: document.bytes, reason: document.reason };
  return { source, location, outcome, bytes: document.bytes, hash: document.actual };
}

const statusSentences = {
  Active: "The record is Active.",
  Deprecated: "The record is Deprecated: its publisher advises against using it.",
  Replaced: "The record is Replaced: its publisher has taken it out of use.",
};

/** Checks that the record is Active. A publisher who takes a service out of use changes the status. */
function recordFact(target: Target): Fact {
  const { version, latestVersion, current, tokenId } = target;
  const status = appStatusLabels[target.status];
  // Only the date of this version: the token may have been minted with an earlier one.
  const published = `Version ${formatVersion(version)}, published on ${isoTime(version.registeredAt)}`;
  const which = current
    ? `${published}, is the latest of its major version.`
    : `${published}, is not the latest; ${formatVersion(latestVersion)} is.`;
  const reason = `Registered as token ${tokenId}. ${which} ${statusSentences[status]}`;
  return (status === "Active" ? pass : fail)(reason, {
    tokenId: String(tokenId),
    status,
    owner: target.owner,
    minter: target.minter,
    version: formatVersion(version),
    latestVersion: formatVersion(latestVersion),
    current,
    registeredAt: version.registeredAt,
    interfaces: target.interfaces,
    dataUrl: target.dataUrl,
    dataHash: target.dataHash,
    dataHashAlgorithm: target.dataHashAlgorithm,
    contractId: target.contractId,
    traitHashes: target.traitHashes,
  });
}

/**
 * Returns the fact for a record that does not exist or could not be read. The evidence for a missing record lists in
 * `action` what is registered.
 */
const missingRecordFact = (error: unknown): Fact =>
  isNotRegisteredError(error)
    ? fail(error.shortMessage, { error: error.name, action: error.action })
    : createUnansweredFact(error);

/**
 * Lists problems for the publisher to fix: fields that the interfaces require and the document lacks, and traits that
 * differ from the record. The notes do not affect the facts.
 */
function publisherNotes(target: Target, metadata: unknown): Problem[] {
  return [
    ...checkPublishable(metadata, target.interfaces, target.did, { contractId: target.contractId }),
    ...traitProblems(metadata, target.traitHashes),
  ];
}

/**
 * Lists the differences between the traits of the document and of the record. Search matches the record's trait hashes,
 * so a document with other traits misleads its readers.
 */
function traitProblems(metadata: unknown, traitHashes: readonly string[]): Problem[] {
  const traits = listTraits(metadata);
  const carried = new Set(traitHashes);
  const problems: Problem[] = [];
  const named = new Set<string>();
  for (const [index, trait] of traits.entries()) {
    const hash = hashOrUndefined(trait);
    if (hash === undefined) continue;
    named.add(hash);
    if (carried.has(hash)) continue;
    const message = `The record doesn't include the trait "${trait}", so searches for this trait won't find it.`;
    problems.push({ pointer: `/traits/${index}`, code: "trait-not-on-record", message });
  }
  for (const hash of carried) {
    if (named.has(hash)) continue;
    const message = `The record includes trait hash ${hash}, but the document lists no matching trait.`;
    problems.push({ pointer: "/traits", code: "trait-not-in-document", message });
  }
  return problems;
}

function listTraits(metadata: unknown): string[] {
  const traits = isJsonObject(metadata) ? metadata.traits : [];
  return Array.isArray(traits) ? traits.map(String) : [];
}

/** Returns `undefined` for a text that is not a trait, which `checkPublishable` reports. */
function hashOrUndefined(trait: string): string | undefined {
  try {
    return traitHash(trait);
  } catch {
    return undefined;
  }
}
