import { compareVersions, formatVersion, MAX_VERSION_PART, type Version } from "../version.ts";
import type { RegisteredDid } from "./readRegistered.ts";

/**
 * The next patch, minor and major versions that may follow, smallest step first.
 *
 * @example
 * nextVersions(parseVersion("1.2.3"), 1).map(formatVersion); // ["1.2.4", "1.3.0", "2.0.0"]
 */
export function nextVersions(version: Version, latestMajor: number): Version[] {
  const { major, minor, patch } = version;
  const next: Version[] = [];
  if (patch < MAX_VERSION_PART) next.push({ major, minor, patch: patch + 1 });
  if (minor < MAX_VERSION_PART) next.push({ major, minor: minor + 1, patch: 0 });
  if (latestMajor < MAX_VERSION_PART) next.push({ major: latestMajor + 1, minor: 0, patch: 0 });
  return next;
}

const listed = (versions: Version[]): string => versions.map(formatVersion).join(", ");

/**
 * Why a version can't follow what is registered, as a sentence with the way out; undefined when it can.
 *
 * @example
 * const registered = await readRegistered(client, { did, major: 1 });
 * versionConflict(parseVersion("1.0.1"), registered); // undefined
 */
export function versionConflict(
  version: Version,
  { latestMajor, record }: Pick<RegisteredDid, "latestMajor" | "record">,
): string | undefined {
  if (latestMajor === undefined) return undefined;
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

/**
 * Why the interfaces can't follow those of the record that is updated; undefined when they can.
 *
 * @example
 * const registered = await readRegistered(client, { did, major: 1 });
 * interfacesConflict(Interfaces.Api, parseVersion("1.0.1"), registered); // undefined
 */
export function interfacesConflict(
  interfaces: number,
  version: Version,
  { latestMajor, record }: Pick<RegisteredDid, "latestMajor" | "record">,
): string | undefined {
  if (record === undefined || interfaces === record.interfaces) return undefined;
  const nextMajor = `${(latestMajor ?? record.version.major) + 1}.0.0`;
  if ((interfaces & record.interfaces) !== record.interfaces) {
    return `A published interface can't be removed from this major version. Keep it, or publish ${nextMajor}.`;
  }
  if (version.minor > record.version.minor) return undefined;
  return `Adding an interface needs a higher minor version, such as ${record.version.major}.${record.version.minor + 1}.0.`;
}
