import type { AppSummary } from "../client/app.ts";
import { isUnderDid } from "../did.ts";
import { traitHash } from "../traits.ts";
import { compareVersions } from "../version.ts";
import type { SearchQuery } from "./searchQuery.ts";

type Filtered = Omit<AppSummary, "versionMajor" | "fungibleTokenId">;

/** Returns true if a record matches every filter of a search that needs no text index. */
export function matchesQuery(record: Filtered, query: SearchQuery): boolean {
  const { status, owner, minter, did, under, minVersion } = query;
  const interfaces = query.interface ?? 0;
  return (
    (status === "any" || record.status === status) &&
    (record.interfaces & interfaces) === interfaces &&
    (owner === undefined || record.owner === owner) &&
    (minter === undefined || record.minter === minter) &&
    (did === undefined || record.did === did) &&
    (under === undefined || isUnderDid(record.did, under)) &&
    (minVersion === undefined || compareVersions(record.latestVersion, minVersion) >= 0) &&
    matchesTraits(record, query)
  );
}

function matchesTraits({ traitHashes }: Filtered, { traits, match }: SearchQuery): boolean {
  if (!traits?.length) return true;
  const carried = traits.map((trait) => traitHashes.includes(traitHash(trait)));
  return match === "all" ? carried.every(Boolean) : carried.some(Boolean);
}
