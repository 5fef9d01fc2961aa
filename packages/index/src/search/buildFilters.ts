import type { SearchQuery } from "@app-registry/sdk";
import { hashCanonicalDid } from "@app-registry/sdk/internal";
import { and, eq, inArray, sql } from "drizzle-orm";
import { getTraitHash } from "../document/getTraitHash.ts";
import { isAtLeastSql, type Sql } from "../sql.ts";
import { app } from "../tables.ts";
import { factFilters } from "./facts.ts";
import type { Source } from "./sources.ts";

const did = sql`${app.did} collate "C"`;

/** Builds the filters of a search, except for its words. All values are SQL parameters. */
export function buildFilters(query: SearchQuery, source: Source): Sql {
  const { owner, minter, under, minVersion, updatedSince } = query;
  const interfaces = query.interface;
  const conditions = and(
    query.status === "any" ? undefined : eq(app.status, query.status),
    buildTraitFilter(query),
    interfaces === undefined ? undefined : inArray(app.interfaces, listBitmapsWith(interfaces)),
    owner && eq(app.owner, owner),
    minter && eq(app.minter, minter),
    query.did === undefined ? undefined : eq(app.didHash, hashCanonicalDid(query.did)),
    under === undefined ? undefined : buildUnderFilter(under),
    minVersion && isAtLeastSql(app, minVersion),
    factFilters(query, source.hasTables),
    updatedSince === undefined
      ? undefined
      : sql`${sql.raw(source.change)}.changed_at >= ${updatedSince}::int8`,
    source.where,
  );
  return conditions ?? sql`true`;
}

/** Builds the condition of `isUnderDid`, as ranges of the index by DID. ";" is the character after ":". */
const buildUnderFilter = (under: string): Sql => sql`(${did} = ${under} or (${buildBelowFilter(under)}))`;

/** Builds the condition of DIDs of the paths below a DID. */
export const buildBelowFilter = (under: string): Sql =>
  sql`${did} >= ${`${under}:`} and ${did} < ${`${under};`}`;

/**
 * Lists every bitmap of interfaces that has these bits. PostgreSQL has statistics of values but not of an expression
 * such as `interfaces & 2 = 2`, which it would assume to be rare and therefore read every match of a common trait.
 */
const listBitmapsWith = (bits: number): number[] =>
  [1, 2, 3, 4, 5, 6, 7].filter((bitmap) => (bitmap & bits) === bits);

function buildTraitFilter({ traits, match }: SearchQuery): Sql | undefined {
  if (!traits?.length) return undefined;
  const hashes = sql`${`{${traits.flatMap((trait) => getTraitHash(trait) ?? []).join()}}`}::text[]`;
  return match === "any" ? sql`${app.traitHashes} && ${hashes}` : sql`${app.traitHashes} @> ${hashes}`;
}
