import "server-only";
import { formatVersion, type VersionRecord } from "@app-registry/sdk";
import { withTimeout } from "@app-registry/server/async";
import { readServiceDocument } from "../../lib/service/serviceDocument.ts";

/** Publisher's notes on one version. */
export type VersionNotes = { releaseNotes?: string | undefined; deprecation?: string | undefined };

/** Maximum number of documents to read per page, newest versions first, and the time limit of each in milliseconds. */
const MAX_READ = 8;
const PATIENCE = 1_500;

/** Returns the notes of the newest versions by major.minor.patch. Omits documents that can't be read in time. */
export async function readVersionNotes(
  versions: readonly VersionRecord[],
): Promise<Map<string, VersionNotes>> {
  const read = versions.slice(-MAX_READ).map(async (record) => {
    const document = await withTimeout(readServiceDocument(record), PATIENCE, () => undefined);
    if (!document?.ok) return [];
    const { releaseNotes, deprecation } = document.metadata;
    return releaseNotes === undefined && deprecation === undefined
      ? []
      : [[formatVersion(record.version), { releaseNotes, deprecation }] as const];
  });
  return new Map((await Promise.all(read)).flat());
}
