import { db } from "ponder:api";
import { app } from "ponder:schema";
import type { SearchQuery } from "@app-registry/sdk";
import { and, sql } from "ponder";
import { z } from "zod";
import { lacking } from "../../control/evidence.ts";
import { inTurns } from "../../search/diversity.ts";
import { nameKeys } from "../../search/nameKeys.ts";
import { score } from "../../search/score.ts";
import { atLeast, type Label, type Term, termsOf } from "../../search/terms.ts";
import type { Sql } from "../sql.ts";
import { type Position, tokenIdSchema } from "./cursor.ts";
import { type Facts, liveOf } from "./facts.ts";
import { filters } from "./filters.ts";
import type { FoundBy } from "./pageInOrder.ts";
import { type Labelled, readRecords } from "./records.ts";
import { fromEach, type Source, sourcesOf } from "./sources.ts";
import { holds, type Understood, understand } from "./understand.ts";
import { areCommon, searchedTerms, worthOf } from "./worth.ts";

/**
 * Where a page ended. The first records are ranked, once, by the first page: `ranked` names them all, and `shown` says
 * how many were shown. The others come behind them by missing evidence and age; `behind` is the last one's place.
 */
export const relevancePlace = z.object({
  ranked: z.array(tokenIdSchema).max(100),
  shown: z.int().min(0).max(100),
  behind: z.tuple([z.int().min(0).max(3), tokenIdSchema]).optional(),
});

type Place = z.output<typeof relevancePlace>;

/** Records that are looked at for each kind of match, those of these that are candidates, and that are ranked. */
const LOOKED_AT = 200;
const CANDIDATES = 40;
const RANKED = 100;

/** While fewer records hold all words of a sentence, those that hold most of them are found too. */
const FEW = 10;

/** Candidates that leave out kinds of match that count less: few are enough behind those that hold all words. */
const wantedOf = (count: number, least: number): number => (least < count ? FEW : CANDIDATES);

/** Records of one name that are looked at, and of one site among these. */
const OF_NAME = 2_000;
const OF_SITE = 3;

/** The records of one page by relevance. Following the pages meets each record once. */
export async function pageByRelevance(
  query: SearchQuery,
  q: string,
  cursor: Position<Place> | undefined,
): Promise<FoundBy<Place>> {
  const { limit } = query;
  const place = cursor?.place;
  const { best, understood } = cursor ? { understood: cursor.understood } : await rank(query, q);
  if (understood === undefined) return { records: [], next: null, understood };
  const ranked = best?.map(({ tokenId }) => tokenId) ?? place?.ranked ?? [];
  const shown = place?.shown ?? 0;
  const first = ranked.slice(shown, shown + limit);
  const inRank = Math.max(0, ranked.length - shown);
  // Fewer are all that match.
  const rest =
    inRank <= limit && ranked.length >= wantedOf(understood.words.length, understood.least)
      ? await behind(query, understood, ranked, place?.behind, limit + 1 - inRank)
      : [];
  const page = rest.slice(0, limit - Math.min(inRank, limit));
  const last = page.at(-1);
  const records = [...first, ...page.map(({ tokenId }) => tokenId)];
  if (inRank + rest.length <= limit) return { records, next: null, understood };
  const next: Place = {
    ranked,
    shown: Math.min(ranked.length, shown + limit),
    ...(last && { behind: [last.unproven, last.tokenId] }),
  };
  return { records, next, understood };
}

const idList = (ids: readonly string[]): Sql =>
  sql.join(
    ids.map((id) => sql`${id}::numeric`),
    sql`, `,
  );

type Candidate = Facts & {
  tokenId: string;
  did: string;
  site: string;
  owner: string;
  minter: string;
  words: string;
  nameFolded: string | null;
  isLabelled: boolean;
  /** It holds the words, not only the very name. */
  matches: boolean;
};

const byEvidence = sql`order by unproven, token_id`;

/** The first records by relevance, and no others when fewer than `CANDIDATES` match; and by what words they match. */
async function rank(query: SearchQuery, q: string) {
  const candidates = new Map<string, Candidate>();
  let terms: Term[] = [];
  let nameFolded: string | null = null;
  const find = async ({ words, least, corrected }: Understood) => {
    terms = termsOf(words);
    nameFolded = nameKeys(corrected.length === 0 ? q : words.join(" ")).nameFolded;
    const found = await candidatesOf(query, await searchedTerms(words), least, nameFolded);
    for (const candidate of found) candidates.set(candidate.tokenId, candidate);
    return found.filter(({ matches }) => matches).length;
  };
  const understood = await understand(query, q, find, /\s/.test(q) ? FEW : 1);
  const worth = await worthOf(terms);
  const scored = [...candidates.values()].map((row) => ({
    ...row,
    score: score(
      { ...row, isNamed: nameFolded !== null && row.nameFolded === nameFolded, unproven: unprovenOf(row) },
      terms,
      worth,
    ),
  }));
  scored.sort((a, b) => b.score - a.score);
  const { owner, minter, did, didPrefix } = query;
  const ordered = (owner ?? minter ?? did ?? didPrefix) === undefined ? inTurns(scored, q) : scored;
  return { best: ordered.slice(0, RANKED), understood };
}

/** What a candidate lacks now, as the column `unproven` counts it, and whether its service is dead. */
function unprovenOf({ isLabelled, ...facts }: Candidate): number {
  return (
    (facts.control === "pass" ? 0 : lacking.control) +
    (isLabelled || facts.attestedUntil !== null ? 0 : lacking.content) +
    (liveOf(facts) === "fail" ? lacking.live : 0)
  );
}

/** Records that hold so many of the terms, those first whose name does, and those of that very name. */
async function candidatesOf(
  query: SearchQuery,
  terms: readonly Term[],
  least: number,
  nameFolded: string | null,
): Promise<Candidate[]> {
  const { parts } = await sourcesOf(query);
  const select = (condition: (source: Source) => Sql | undefined) => (source: Source) =>
    sql`
    select ${app.tokenId} as token_id, ${app.unproven} as unproven, ${app.site} as site
    from ${source.from} where ${and(filters(query, source), condition(source))}`;
  // Each kind of match is looked for while the ones before it leave places.
  const tiers: { name: string; select: Sql }[] = [];
  const wanted = wantedOf(terms.length, least);
  for (const among of [["name"], ["name", "head"], ["anywhere"]] satisfies Label[][]) {
    const words = atLeast(terms, least, among);
    // A view is planned as if it were read whole, thus by the index of words, and read as far as the limits.
    const holding = fromEach(
      parts,
      select((source) => holds(words, source)),
      sql``,
    );
    const found = sql`
      with holding as materialized (${holding}), looked_at as (
        (select * from holding where unproven = 0 limit ${LOOKED_AT}::int)
        union all (select * from holding where unproven > 0 limit ${LOOKED_AT}::int) limit ${LOOKED_AT}::int)
      select * from looked_at ${byEvidence} limit ${CANDIDATES}::int`;
    const isFilled = tiers.map(({ name }) => sql`(select count(*) from ${sql.raw(name)}) >= ${wanted}::int`);
    const isWanted = sql`not (${sql.join([sql`false`, ...isFilled], sql` or `)})`;
    tiers.push({
      name: `tier_${tiers.length}`,
      select: sql`select * from (${found}) as found where ${isWanted}`,
    });
  }
  const named = sql`
    select token_id from (
      select token_id, row_number() over (partition by site ${byEvidence}) as place
      from (${fromEach(
        parts,
        select((source) => sql`${source.nameFolded} = ${nameFolded}`),
        sql`limit ${OF_NAME}::int`,
      )}) as of_name) as of_site
    where place <= ${OF_SITE}::int`;
  const views = tiers.map(({ name, select }) => sql`${sql.raw(name)} as materialized (${select})`);
  const matching = sql.join(
    tiers.map(({ name }) => sql`select token_id from ${sql.raw(name)}`),
    sql` union `,
  );
  const { rows } = await db.execute<{ tokenId: string; matches: boolean }>(sql`
    with ${sql.join(views, sql`, `)}, matching as materialized (${matching})
    select token_id::text as "tokenId", bool_or(matches) as matches from (
      select token_id, true as matches from matching union all select token_id, false from (${named}) as named
    ) as found group by token_id order by found.token_id`);
  const matches = new Map(rows.map((row) => [row.tokenId, row.matches]));
  const read = await readRecords<Omit<Candidate, "matches">>([...matches.keys()], candidateColumns);
  return read
    .map((row) => ({ ...row, matches: matches.get(row.tokenId) ?? false }))
    .sort((a, b) => (BigInt(a.tokenId) < BigInt(b.tokenId) ? -1 : 1));
}

const candidateColumns = (labelled: Labelled, hasTables: boolean): Sql => sql`
  app.did, app.site, app.owner, app.minter, ${labelled("words")} as words, ${labelled("name_folded")} as "nameFolded",
  ${hasTables ? sql`(app.pointer is not null or label.token_id is not null)` : sql`(app.pointer is not null)`} as "isLabelled"`;

/** The matches that are not ranked, behind a place. */
async function behind(
  query: SearchQuery,
  understood: Understood,
  ranked: readonly string[],
  place: Place["behind"],
  limit: number,
): Promise<{ tokenId: string; unproven: number }[]> {
  const { parts } = await sourcesOf(query);
  const terms = await searchedTerms(understood.words);
  const words = atLeast(terms, understood.least);
  const after = place && sql`(${app.unproven}, ${app.tokenId}) > (${place[0]}::int, ${place[1]}::numeric)`;
  const others = sql`${app.tokenId} not in (${idList(ranked)})`;
  const found = fromEach(
    parts,
    (source) => sql`
      select ${app.tokenId} as token_id, ${app.unproven} as unproven
      from ${source.from} where ${and(filters(query, source), holds(words, source), others, after)}`,
    sql`${byEvidence} limit ${limit}::int`,
    !(await areCommon(terms)),
  );
  const { rows } = await db.execute<{ token_id: string; unproven: number }>(found);
  return rows.map(({ token_id, ...row }) => ({ tokenId: token_id, ...row }));
}
