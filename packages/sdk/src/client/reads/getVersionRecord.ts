import { normalizeDid } from "../../did.ts";
import { AppRegistryError } from "../../errors/appRegistryError.ts";
import { formatVersion, InvalidVersionError, toVersionSelector } from "../../version.ts";
import type { BlockParameter, ClientContext } from "../context.ts";
import { getNotRegisteredMessage, type NotRegisteredMessage } from "../notRegistered.ts";
import type { VersionQuery, VersionRecord } from "../versionRecord.ts";
import { listVersionRecords } from "./listVersionRecords.ts";

export type GetVersionRecordParameters = BlockParameter & { did: string; version: VersionQuery | string };

/** Thrown when this version of the DID was never published. `words` replace the message with what is registered. */
export class VersionNotFoundError extends AppRegistryError {
  override readonly name = "VersionNotFoundError";

  constructor(did: string, { major, minor, patch }: VersionQuery, words: Partial<NotRegisteredMessage> = {}) {
    const version = patch === undefined ? `${major}.${minor}` : `${major}.${minor}.${patch}`;
    const {
      sentence = `Version ${version} of ${did} is not registered.`,
      action = "List the published versions with listVersions().",
    } = words;
    super(sentence, { action, docsPath: "/sdk#versions" });
  }
}

/** Maximum number of versions in an error message. The latest ones are listed. */
const MAX_LISTED_VERSIONS = 16;

/**
 * Reads the record of one version, current or older, from the registry's events. `major.minor` selects the patch that
 * was published last.
 *
 * @throws {VersionNotFoundError} when the version was never published. The message lists the published versions.
 * @example
 * const { dataHash, pointer, current } = await client.getVersionRecord({ did, version: { major: 1, minor: 0, patch: 0 } });
 * current; // true
 */
export async function getVersionRecord(
  context: ClientContext,
  { did: input, version: given, ...at }: GetVersionRecordParameters,
): Promise<VersionRecord> {
  const version = toQuery(given);
  const did = normalizeDid(input);
  const records = await listVersionRecords(context, { did, major: version.major, ...at });
  // The records are ordered oldest first, so the last match is the latest patch.
  const found = records.findLast(
    (record) =>
      record.version.minor === version.minor &&
      (version.patch === undefined || record.version.patch === version.patch),
  );
  if (found) return found;
  if (records.length > 0)
    throw new VersionNotFoundError(did, version, { action: formatVersionList(records) });
  const words = await getNotRegisteredMessage(context, { did, major: version.major, ...at });
  throw new VersionNotFoundError(did, version, words);
}

function toQuery(given: VersionQuery | string): VersionQuery {
  const { minor, ...version } = toVersionSelector(given);
  if (minor !== undefined) return { minor, ...version };
  throw new InvalidVersionError(given, "Use two or three numbers from 0 to 255, for example 1.0 or 1.0.2.");
}

function formatVersionList(records: readonly VersionRecord[]): string {
  const versions = records.slice(-MAX_LISTED_VERSIONS).map((record) => formatVersion(record.version));
  const earlier = versions.length < records.length ? "…, " : "";
  return `Registered versions: ${earlier}${versions.join(", ")}.`;
}
