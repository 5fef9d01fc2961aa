import type { Hex } from "viem";
import { checkArguments } from "../arguments.ts";
import type { VersionOrder } from "../client/app.ts";
import type { CanonicalDid } from "../did.ts";
import { AppRegistryError } from "../errors/appRegistryError.ts";
import type { HashAlgorithm } from "../hash.ts";
import { canonicalizeValue, type JsonValue } from "../json.ts";
import type { Problem } from "../metadata/checkPublishable.ts";
import { type CapabilityChange, compareCapabilities } from "../metadata/compareCapabilities.ts";
import type { AppStatus } from "../recordEnums.ts";
import {
  compareVersions,
  formatVersion,
  MAX_VERSION_PART,
  toVersion,
  type Version,
  type VersionInput,
} from "../version.ts";
import type { AttestationResponse } from "./requestAttestation.ts";

/** Registered record, with the fields that decide about its next version. */
export interface RegisteredRecord {
  tokenId: bigint;
  version: Version;
  /** Status: 0 Active, 1 Deprecated, 2 Replaced. */
  status: AppStatus;
  /** Interface bitmap: 1 Human, 2 API, 4 Contract. */
  interfaces: number;
  dataUrl: string;
  dataHash: Hex;
  algorithm: HashAlgorithm;
  contractId: string;
  fungibleTokenId: string;
  hasTraits: boolean;
  /** Rule for the next version. Only a finished reclaim makes it other than `rising`. */
  versionOrder: VersionOrder;
  /** Published versions that no later one may repeat, oldest first; empty for a `rising` record. */
  published: readonly Version[];
}

/** Registered records of a DID: none, or one per major version. */
export interface RegisteredDid {
  did: CanonicalDid;
  latestMajor: number | undefined;
  /** Record of the requested major version. */
  record: RegisteredRecord | undefined;
}

/** Thrown when the metadata can't be published. `problems` lists each place. */
export class NotPublishableError extends AppRegistryError {
  override readonly name = "NotPublishableError";
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const places = problems.map(({ pointer, message }) => `${pointer || "the document"}: ${message}`);
    super(`The metadata can't be published. ${places.join(" ")}`, {
      action: "Fix each problem, then publish again.",
      docsPath: "/metadata",
    });
    this.problems = problems;
  }
}

/** Thrown when the web service's issuer refused an attestation. `answer` has the reason. */
export abstract class AttestationRefusedError extends AppRegistryError {
  /** Response of the issuer: each attempt, the document to publish, and when control takes effect. */
  readonly answer: AttestationResponse;

  constructor(answer: AttestationResponse, message: string, action: string) {
    super(answer.detail ?? answer.title ?? message, {
      action,
      docsPath: "/sdk#publish",
      retryable: answer.retryable || answer.status === "waiting",
    });
    this.answer = answer;
  }

  /**
   * True if the wallet controls the DID only after some time or an action of another controller. The chain shows which.
   */
  get isWaiting(): boolean {
    const { status, code } = this.answer;
    return status === "waiting" || code === "recently-revoked";
  }

  /** Each attempt, the code of the response and the id of the request. */
  get details(): string[] {
    const { ways, code, status, requestId } = this.answer;
    const tried = ways.map(({ way, reason }) => `${way}: ${reason}`);
    return [...tried, code ?? status, ...(requestId === undefined ? [] : [`Request ${requestId}`])];
  }
}

/** Thrown when the issuer did not attest that the wallet controls the DID. */
export class ControlNotAttestedError extends AttestationRefusedError {
  override readonly name = "ControlNotAttestedError";

  constructor(did: string, answer: AttestationResponse) {
    const message = `The wallet is not attested as a controller of ${did} (${answer.status}).`;
    super(answer, message, controlAction(answer));
  }
}

function controlAction({ code, publish, status }: AttestationResponse): string {
  if (status === "pending") return "Try again in a moment. Retrying is safe.";
  if (publish) {
    const { txt, url } = publish;
    const record = txt ? `, or the DNS TXT record ${txt.record} at ${txt.name}` : "";
    return `Publish a DID document that lists the wallet at ${url}${record}, then publish the service again. Or use a wallet that the DID document already lists.`;
  }
  if (code === "contract-owner-mismatch") return "Publish with the wallet that owns the contract.";
  return "Publish again once the wallet's control takes effect.";
}

/** Thrown when the record is published, but the issuer did not attest its document. */
export class ContentNotAttestedError extends AttestationRefusedError {
  override readonly name = "ContentNotAttestedError";

  constructor(answer: AttestationResponse) {
    const message = `The issuer didn't attest the document (${answer.status}).`;
    super(
      answer,
      message,
      "The record is published. To get its dataHash attested, publish again at any time.",
    );
  }
}

/** Next version of each step, smallest first; a step is absent if no version is left for it. */
export type NextVersions = Partial<Record<VersionProposal["part"], Version>>;

/**
 * Returns the next patch, minor and major versions that may follow a record. Without a record, returns the next major.
 * After a reclaim, skips every published version, and does not continue from a version after which none is left, such
 * as 1.255.255.
 *
 * @example
 * const record = { version: parseVersion("1.2.3"), versionOrder: "rising", published: [] } as const;
 * const { patch, minor, major } = nextVersions(record, 1);
 * [patch, minor, major].map((next) => next && formatVersion(next)); // ["1.2.4", "1.3.0", "2.0.0"]
 */
export function nextVersions(
  record: Pick<RegisteredRecord, "version" | "versionOrder" | "published"> | undefined,
  latestMajor: number,
): NextVersions {
  checkArguments("latestMajor record?", { latestMajor, record });
  const nextMajor: NextVersions =
    latestMajor < MAX_VERSION_PART ? { major: { major: latestMajor + 1, minor: 0, patch: 0 } } : {};
  if (record === undefined) return nextMajor;
  const { version, versionOrder, published } = record;
  const highestFirst = published.toSorted((one, other) => compareVersions(other, one));
  const followed =
    versionOrder === "open" ? highestFirst.find(({ minor }) => minor < MAX_VERSION_PART) : undefined;
  const { major, minor, patch } = followed ?? version;
  const isFree = (next: Version) => published.every((taken) => compareVersions(taken, next) !== 0);
  const parts = Array.from({ length: MAX_VERSION_PART + 1 }, (_, part) => part);
  const nextPatch = parts
    .slice(patch + 1)
    .map((part) => ({ major, minor, patch: part }))
    .find(isFree);
  const nextMinor = parts
    .slice(minor + 1)
    .map((part) => ({ major, minor: part, patch: 0 }))
    .find(isFree);
  return { ...(nextPatch && { patch: nextPatch }), ...(nextMinor && { minor: nextMinor }), ...nextMajor };
}

/**
 * Returns the next version that raises a part, or the next larger part if no version is left for it. Returns `undefined`
 * if none is left.
 *
 * @example
 * const next = { minor: parseVersion("1.3.0"), major: parseVersion("2.0.0") };
 * raiseVersion(next, "patch"); // { major: 1, minor: 3, patch: 0 }
 */
export function raiseVersion(next: NextVersions, part: VersionProposal["part"]): Version | undefined {
  const { patch, minor, major } = next;
  return { patch: patch ?? minor ?? major, minor: minor ?? major, major }[part];
}

/**
 * Returns the reason why a version cannot follow the registered ones, and an alternative, as a sentence. Returns
 * `undefined` if it can.
 *
 * @example
 * const registered = await readRegisteredDid(client, { did, major: 1 });
 * versionConflict(parseVersion("1.0.1"), registered); // undefined
 */
export function versionConflict(
  given: VersionInput,
  registered: Pick<RegisteredDid, "latestMajor" | "record">,
): string | undefined {
  checkArguments("registered", { registered });
  const { latestMajor, record } = registered;
  const version = toVersion(given);
  if (latestMajor === undefined) return undefined;
  if (record === undefined) {
    if (version.major <= latestMajor + 1) return undefined;
    return `The latest major version of this service is ${latestMajor}, so the next one is ${latestMajor + 1}.0.0.`;
  }
  const isTaken = record.published.some((taken) => compareVersions(taken, version) === 0);
  const isAbove = compareVersions(version, record.version) > 0;
  if (!isTaken && (isAbove || record.versionOrder === "open")) return undefined;
  const next = Object.values(nextVersions(record, latestMajor)).map(formatVersion).join(", ");
  const way = next === "" ? "No higher version is available." : `Choose another version, such as ${next}.`;
  if (isTaken) return `${formatVersion(version)} has already been published and can't be reused. ${way}`;
  return `${formatVersion(version)} must be higher than the current version, ${formatVersion(record.version)}. ${way}`;
}

/**
 * Returns the reason why the interfaces cannot follow those of the updated record, as a sentence. Returns `undefined`
 * if they can.
 *
 * @example
 * const registered = await readRegisteredDid(client, { did, major: 1 });
 * interfacesConflict(Interfaces.Api, parseVersion("1.0.1"), registered); // undefined
 */
export function interfacesConflict(
  interfaces: number,
  given: VersionInput,
  registered: Pick<RegisteredDid, "latestMajor" | "record">,
): string | undefined {
  checkArguments("interfaces registered", { interfaces, registered });
  const { latestMajor, record } = registered;
  const version = toVersion(given);
  if (record === undefined || interfaces === record.interfaces) return undefined;
  const nextMajor = `${(latestMajor ?? record.version.major) + 1}.0.0`;
  if ((interfaces & record.interfaces) !== record.interfaces) {
    return `You can't remove an interface within a major version. Keep it, or publish ${nextMajor}.`;
  }
  if (version.minor > record.version.minor) return undefined;
  return `Adding an interface needs a higher minor version, such as ${record.version.major}.${record.version.minor + 1}.0.`;
}

/**
 * Returns the reason why an update cannot have these traits, as a sentence. Returns `undefined` if it can.
 *
 * @param traits Traits of the document, as strings or hashes.
 * @example
 * const registered = await readRegisteredDid(client, { did, major: 1 });
 * traitsConflict(["api:rest"], registered); // undefined
 */
export function traitsConflict(
  traits: readonly unknown[],
  registered: Pick<RegisteredDid, "record">,
): string | undefined {
  checkArguments("traits registered", { traits, registered });
  const { record } = registered;
  if (!record?.hasTraits || traits.length > 0) return undefined;
  return "Keep at least one trait. An update can't remove all of a record's traits.";
}

/** Part of the version to raise, with the changes that require it. */
export interface VersionProposal {
  part: "major" | "minor" | "patch";
  changes: CapabilityChange[];
}

/**
 * Returns the part of the version that a new document must raise: the major version if callers may break, because
 * something was removed or accepts less than before; the minor version if something was added, or an interface; the
 * patch otherwise. Returns `undefined` if both documents are the same.
 *
 * @param before The published document and the record's interfaces.
 * @param after The document to publish, and its interfaces.
 * @throws {JsonDocumentError} for a text that has no canonical form.
 * @example
 * const published = { name: "Weather", description: "Forecasts." };
 * const draft = { name: "Weather", description: "Forecasts for a week." };
 * proposeVersion({ metadata: published, interfaces: 2 }, { metadata: draft, interfaces: 2 })?.part; // "patch"
 */
export function proposeVersion(
  before: VersionedDocument,
  after: VersionedDocument,
): VersionProposal | undefined {
  for (const one of [before, after]) checkArguments("metadata interfaces", one);
  const changes = compareCapabilities(before.metadata, after.metadata);
  const isLess = (before.interfaces & after.interfaces) !== before.interfaces;
  if (isLess || changes.some(({ breaks }) => breaks !== undefined)) return { part: "major", changes };
  const isMore = before.interfaces !== after.interfaces;
  if (isMore || changes.some(({ change }) => change === "added")) return { part: "minor", changes };
  const isSame = canonicalizeValue(before.metadata) === canonicalizeValue(after.metadata);
  return isSame ? undefined : { part: "patch", changes };
}

type VersionedDocument = { metadata: JsonValue; interfaces: number };
