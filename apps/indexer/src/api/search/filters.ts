import { app } from "ponder:schema";
import { didHash, type SearchQuery, traitHash } from "@app-registry/sdk";
import { and, eq, inArray, sql } from "ponder";
import type { Sql } from "../sql.ts";
import type { Source } from "./sources.ts";
import { textMatch } from "./textMatch.ts";

/** Sorts behind every character of a DID, which is ASCII. */
const LAST_CHARACTER = "\u{10ffff}";

const did = sql`${app.did} collate "C"`;

/** What a record of a source has to be for a search to find it, as one condition; values stand in parameters alone. */
export function filters(query: SearchQuery, source: Source): Sql {
  const text = query.q === undefined ? undefined : textMatch(query.q, source).anywhere;
  return and(recordFilters(query), text, source.only) ?? sql`true`;
}

/** All of a search's filters but its text. */
export function recordFilters(query: SearchQuery): Sql | undefined {
  const { owner, didPrefix, minVersion, updatedSince } = query;
  const interfaces = query.interface;
  return and(
    query.status === "any" ? undefined : eq(app.status, query.status),
    carriesTraits(query),
    interfaces === undefined ? undefined : inArray(app.interfaces, bitmapsWith(interfaces)),
    owner && eq(app.owner, owner),
    query.did === undefined ? undefined : eq(app.didHash, didHash(query.did)),
    didPrefix === undefined
      ? undefined
      : sql`${did} >= ${didPrefix} and ${did} < ${`${didPrefix}${LAST_CHARACTER}`}`,
    minVersion &&
      sql`(${app.major}, ${app.minor}, ${app.patch}) >= (${minVersion.major}::int, ${minVersion.minor}::int, ${minVersion.patch}::int)`,
    updatedSince === undefined ? undefined : sql`${app.changedAt} >= ${updatedSince}::int8`,
  );
}

/**
 * Every bitmap of interfaces with these bits. PostgreSQL knows how many records have each value, but nothing of an
 * expression such as `interfaces & 2 = 2`: it would take it for rare, and read every match of a common trait.
 */
const bitmapsWith = (bits: number): number[] =>
  [1, 2, 3, 4, 5, 6, 7].filter((bitmap) => (bitmap & bits) === bits);

function carriesTraits({ traits, match }: SearchQuery): Sql | undefined {
  if (!traits?.length) return undefined;
  const hashes = sql`array[${sql.join(
    traits.map((trait) => sql`${traitHash(trait)}`),
    sql`, `,
  )}]::text[]`;
  return match === "any" ? sql`${app.traitHashes} && ${hashes}` : sql`${app.traitHashes} @> ${hashes}`;
}
