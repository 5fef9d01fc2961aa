import {
  compareVersions,
  formatVersion,
  MAX_VERSION_PART,
  parseVersion,
  type Version,
} from "@app-registry/sdk";

/** A record that stands in the registry, as far as a next version of it needs to know. */
export interface RegisteredRecord {
  tokenId: bigint;
  version: Version;
  interfaces: number;
  dataUrl: string;
  dataHash: string;
  /** 0 keccak256, 1 sha256. */
  algorithm: 0 | 1;
  contractId: string;
  fungibleTokenId: string;
  hasTraits: boolean;
}

/** What the chain says of a DID: nothing is registered, or records by their major version. */
export interface RegisteredDid {
  did: string;
  latestMajor: number | undefined;
  /** The record of the major version that the draft names. */
  record: RegisteredRecord | undefined;
}

/** The next patch, minor and major versions that may follow, smallest step first. */
export function nextVersions(version: Version, latestMajor: number): Version[] {
  const { major, minor, patch } = version;
  const next: Version[] = [];
  if (patch < MAX_VERSION_PART) next.push({ major, minor, patch: patch + 1 });
  if (minor < MAX_VERSION_PART) next.push({ major, minor: minor + 1, patch: 0 });
  if (latestMajor < MAX_VERSION_PART) next.push({ major: latestMajor + 1, minor: 0, patch: 0 });
  return next;
}

const listed = (versions: Version[]): string => versions.map(formatVersion).join(", ");

/** Why a version can't follow what is registered, as a sentence with the way out; undefined when it can. */
export function versionConflict(text: string, registered: RegisteredDid | undefined): string | undefined {
  const latestMajor = registered?.latestMajor;
  if (registered === undefined || latestMajor === undefined) return undefined;
  const version = parseVersion(text);
  const { record } = registered;
  if (record === undefined) {
    if (version.major <= latestMajor + 1) return undefined;
    return `The latest major version of this service is ${latestMajor}, so the next one is ${latestMajor + 1}.0.0.`;
  }
  if (compareVersions(version, record.version) > 0) return undefined;
  const next = nextVersions(record.version, latestMajor);
  const way =
    next.length === 0 ? "No higher version is left." : `Choose a higher one, such as ${listed(next)}.`;
  return `${formatVersion(record.version)} is the last published version, and ${formatVersion(version)} is not above it. ${way}`;
}

/** Why the interfaces can't follow those of the record that is updated; undefined when they can. */
export function interfacesConflict(
  interfaces: number,
  text: string,
  registered: RegisteredDid | undefined,
): string | undefined {
  const record = registered?.record;
  if (record === undefined || interfaces === record.interfaces) return undefined;
  const nextMajor = `${(registered?.latestMajor ?? record.version.major) + 1}.0.0`;
  if ((interfaces & record.interfaces) !== record.interfaces) {
    return `A published interface can't be removed from this major version. Keep it, or publish ${nextMajor}.`;
  }
  if (parseVersion(text).minor > record.version.minor) return undefined;
  return `Adding an interface needs a higher minor version, such as ${record.version.major}.${record.version.minor + 1}.0.`;
}
