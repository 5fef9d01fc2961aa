import { app } from "ponder:schema";
import type { SearchQuery } from "@app-registry/sdk";
import { fold, hashOfDid } from "@app-registry/sdk/internal";
import { and, eq, inArray, sql } from "ponder";
import type { Hex } from "viem";
import { cleanText } from "../../document/cleanText.ts";
import { traitHashOf } from "../../document/traitHashOf.ts";
import { type Sql, versionIs } from "../sql.ts";
import { factFilters } from "./facts.ts";
import type { Source } from "./sources.ts";

/** Sorts behind every character of a DID, which is ASCII. */
const LAST_CHARACTER = "\u{10ffff}";

const did = sql`${app.did} collate "C"`;

/** What a record of a source has to be for a search to find it, its words aside; values stand in parameters alone. */
export function filters(query: SearchQuery, source: Source): Sql {
  const { updatedSince } = query;
  const changed = updatedSince === undefined ? undefined : sql`${source.changedAt} >= ${updatedSince}::int8`;
  const name = query.name === undefined ? undefined : isNamed(query.name, source);
  const facts = factFilters(query, source.isChecked);
  return and(recordFilters(query), facts, changed, name, source.only) ?? sql`true`;
}

/** No index serves this: of the records that the other filters leave, each is looked at until a page is full. */
function isNamed(name: string, { sortName }: Source): Sql {
  const contains = (column: Sql, text: string) =>
    sql`${column} like ${`%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`}`;
  const [folded, lower] = [fold(cleanText(name)), cleanText(name).toLowerCase()];
  const inServerName = contains(sql`lower(${app.serverName})`, lower);
  // Marks alone fold to nothing, which is a part of every text.
  if (folded === "") return lower === "" ? sql`false` : inServerName;
  return sql`(${contains(sortName, folded)} or ${inServerName})`;
}

/** A search's filters by what the chain says of a record. */
function recordFilters(query: SearchQuery): Sql | undefined {
  const { owner, minter, didPrefix, minVersion } = query;
  const interfaces = query.interface;
  return and(
    query.status === "any" ? undefined : eq(app.status, query.status),
    carriesTraits(query),
    interfaces === undefined ? undefined : inArray(app.interfaces, bitmapsWith(interfaces)),
    owner && eq(app.owner, owner),
    minter && eq(app.minter, minter),
    query.did === undefined ? undefined : eq(app.didHash, hashOfDid(query.did)),
    didPrefix === undefined
      ? undefined
      : sql`${did} >= ${didPrefix} and ${did} < ${`${didPrefix}${LAST_CHARACTER}`}`,
    minVersion && versionIs(app, ">=", minVersion),
  );
}

/**
 * Every bitmap of interfaces with these bits. PostgreSQL knows how many records have each value, but nothing of an
 * expression such as `interfaces & 2 = 2`: it would take it for rare, and read every match of a common trait.
 */
const bitmapsWith = (bits: number): number[] =>
  [1, 2, 3, 4, 5, 6, 7].filter((bitmap) => (bitmap & bits) === bits);

/** The hashes of the traits of a search, which are checked. */
const hashesOf = (traits: readonly string[]): Hex[] => traits.flatMap((trait) => traitHashOf(trait) ?? []);

function carriesTraits({ traits, match }: SearchQuery): Sql | undefined {
  if (!traits?.length) return undefined;
  const hashes = sql`array[${sql.join(
    hashesOf(traits).map((hash) => sql`${hash}`),
    sql`, `,
  )}]::text[]`;
  return sql`${app.traitHashes} ${match === "any" ? sql`&&` : sql`@>`} ${hashes}`;
}
