import { app } from "ponder:schema";
import type { SearchQuery } from "@app-registry/sdk";
import { foldWord, hashCanonicalDid } from "@app-registry/sdk/internal";
import { and, eq, inArray, sql } from "ponder";
import { getTraitHash } from "../../document/getTraitHash.ts";
import { toPostgresText } from "../../document/toPostgresText.ts";
import { compareVersionSql, type Sql } from "../sql.ts";
import { factFilters } from "./facts.ts";
import { labelColumn, type Source } from "./sources.ts";

/** Sorts behind every character of a DID, which is ASCII. */
const LAST_CHARACTER = "\u{10ffff}";

const did = sql`${app.did} collate "C"`;

/** What a record of a source has to be for a search to find it, its words aside; values stand in parameters alone. */
export function buildFilters(query: SearchQuery, source: Source): Sql {
  const { owner, minter, didPrefix, minVersion, name, updatedSince } = query;
  const interfaces = query.interface;
  const conditions = and(
    query.status === "any" ? undefined : eq(app.status, query.status),
    buildTraitFilter(query),
    interfaces === undefined ? undefined : inArray(app.interfaces, listBitmapsWith(interfaces)),
    owner && eq(app.owner, owner),
    minter && eq(app.minter, minter),
    query.did === undefined ? undefined : eq(app.didHash, hashCanonicalDid(query.did)),
    didPrefix === undefined
      ? undefined
      : sql`${did} >= ${didPrefix} and ${did} < ${`${didPrefix}${LAST_CHARACTER}`}`,
    minVersion && compareVersionSql(app, ">=", minVersion),
    factFilters(query, source.hasTables),
    updatedSince === undefined
      ? undefined
      : sql`${sql.raw(source.change)}.changed_at >= ${updatedSince}::int8`,
    name === undefined ? undefined : buildNameFilter(name, source),
    source.where,
  );
  return conditions ?? sql`true`;
}

/** No index serves this: of the records that the other filters leave, each is looked at until a page is full. */
function buildNameFilter(name: string, source: Source): Sql {
  const contains = (column: Sql, text: string) =>
    sql`${column} like ${`%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`}`;
  const [folded, lower] = [foldWord(toPostgresText(name)), toPostgresText(name).toLowerCase()];
  const inServerName = contains(sql`lower(${app.serverName})`, lower);
  // Marks alone fold to nothing, which is a part of every text.
  if (folded === "") return lower === "" ? sql`false` : inServerName;
  return sql`(${contains(labelColumn(source, "sort_name"), folded)} or ${inServerName})`;
}

/**
 * Every bitmap of interfaces with these bits. PostgreSQL knows how many records have each value, but nothing of an
 * expression such as `interfaces & 2 = 2`: it would take it for rare, and read every match of a common trait.
 */
const listBitmapsWith = (bits: number): number[] =>
  [1, 2, 3, 4, 5, 6, 7].filter((bitmap) => (bitmap & bits) === bits);

function buildTraitFilter({ traits, match }: SearchQuery): Sql | undefined {
  if (!traits?.length) return undefined;
  const hashes = sql`${`{${traits.flatMap((trait) => getTraitHash(trait) ?? []).join()}}`}::text[]`;
  return match === "any" ? sql`${app.traitHashes} && ${hashes}` : sql`${app.traitHashes} @> ${hashes}`;
}
