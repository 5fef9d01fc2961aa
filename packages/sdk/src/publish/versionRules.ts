import { checkArguments } from "../arguments.ts";
import {
  compareVersions,
  formatVersion,
  MAX_VERSION_PART,
  toVersion,
  type Version,
  type VersionInput,
} from "../version.ts";
import type { RegisteredDid, RegisteredRecord } from "./readRegisteredDid.ts";

/**
 * The next patch, minor and major versions that may follow a record's, smallest step first; without a record the next
 * major. After a reclaim they skip every published version, and don't follow a version after which none is left, such as
 * 1.255.255.
 *
 * @example
 * const record = { version: parseVersion("1.2.3"), versionOrder: "rising", published: [] } as const;
 * nextVersions(record, 1).map(formatVersion); // ["1.2.4", "1.3.0", "2.0.0"]
 */
export function nextVersions(
  record: Pick<RegisteredRecord, "version" | "versionOrder" | "published"> | undefined,
  latestMajor: number,
): Version[] {
  checkArguments("latestMajor record?", { latestMajor, record });
  const nextMajor = latestMajor < MAX_VERSION_PART ? [{ major: latestMajor + 1, minor: 0, patch: 0 }] : [];
  if (record === undefined) return nextMajor;
  const { version, versionOrder, published } = record;
  const highestFirst = published.toSorted((one, other) => compareVersions(other, one));
  const followed =
    versionOrder === "open" ? highestFirst.find(({ minor }) => minor < MAX_VERSION_PART) : undefined;
  const { major, minor, patch } = followed ?? version;
  const isFree = (next: Version) => published.every((taken) => compareVersions(taken, next) !== 0);
  const parts = Array.from({ length: MAX_VERSION_PART + 1 }, (_, part) => part);
  const next = [
    parts
      .slice(patch + 1)
      .map((part) => ({ major, minor, patch: part }))
      .find(isFree),
    parts
      .slice(minor + 1)
      .map((part) => ({ major, minor: part, patch: 0 }))
      .find(isFree),
  ];
  return [...next.filter((candidate) => candidate !== undefined), ...nextMajor];
}

/**
 * Why a version can't follow what is registered, and what to do instead, as a sentence; undefined if it can.
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
  const next = nextVersions(record, latestMajor).map(formatVersion).join(", ");
  const way = next === "" ? "No higher version is available." : `Choose another version, such as ${next}.`;
  if (isTaken) return `${formatVersion(version)} has already been published and can't be reused. ${way}`;
  return `${formatVersion(version)} must be higher than the current version, ${formatVersion(record.version)}. ${way}`;
}

/**
 * Why the interfaces can't follow those of the updated record; undefined if they can.
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
 * Why an update can't have these traits; undefined if it can. `traits` are the document's, as strings or hashes.
 *
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
