import { AppRegistryError } from "../../errors/appRegistryError.ts";
import type { AtBlock, ClientContext } from "../context.ts";
import type { VersionQuery, VersionRecord } from "../versionRecord.ts";
import { listVersionRecords } from "./listVersionRecords.ts";

export type GetVersionRecordParameters = AtBlock & { did: string; version: VersionQuery };

/** No such version of the DID was ever published. */
export class VersionNotFoundError extends AppRegistryError {
  override readonly name = "VersionNotFoundError";

  constructor(did: string, { major, minor, patch }: VersionQuery) {
    const version = patch === undefined ? `${major}.${minor}` : `${major}.${minor}.${patch}`;
    super(`Version ${version} of ${did} is not registered.`, {
      action: "List the published versions with listVersions().",
      docsPath: "/sdk#versions",
    });
  }
}

/**
 * Reads what the registry recorded for one version, current or older, from its events. `major.minor` alone means
 * the highest patch of it.
 *
 * @throws {VersionNotFoundError} when it was never published.
 * @example
 * const { dataHash, pointer, current } = await client.getVersionRecord({ did, version: { major: 1, minor: 0, patch: 0 } });
 * current; // true
 */
export async function getVersionRecord(
  context: ClientContext,
  { did, version, ...at }: GetVersionRecordParameters,
): Promise<VersionRecord> {
  const records = await listVersionRecords(context, { did, major: version.major, ...at });
  // Oldest first and strictly rising, so the last match is the highest patch.
  const found = records.findLast(
    (record) =>
      record.version.minor === version.minor &&
      (version.patch === undefined || record.version.patch === version.patch),
  );
  if (!found) throw new VersionNotFoundError(did, version);
  return found;
}
