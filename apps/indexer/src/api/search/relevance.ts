import { db } from "ponder:api";
import type { SearchQuery } from "@app-registry/sdk";
import { and, sql } from "ponder";
import { lacking } from "../../control/evidence.ts";
import { inTurns } from "../../search/diversity.ts";
import { nameKeys } from "../../search/nameKeys.ts";
import { score } from "../../search/score.ts";
import { atLeast, type Label, termsOf } from "../../search/terms.ts";
import type { Sql } from "../sql.ts";
import { type Facts, liveOf } from "./facts.ts";
import { filters } from "./filters.ts";
import { reader } from "./records.ts";
import { holds, labelOf, type Source, sourcesOf } from "./sources.ts";
import { searchedTerms, worthOf } from "./statistics.ts";
import { type Understood, understand } from "./understand.ts";

/** Records that are looked at for each kind of match, those of these that are candidates, and that are ranked. */
const LOOKED_AT = 200;
const CANDIDATES = 40;
const RANKED = 100;

/** While fewer records hold all words of a sentence, those that hold most of them are found too. */
const FEW = 10;

/** Candidates that leave out kinds of match that count less. Where fewer are ranked, no others match. */
export const wantedOf = ({ words, least }: Understood): number => (least < words.length ? FEW : CANDIDATES);

/** Records of one name that are looked at, and of one site among these. */
const OF_NAME = 2_000;
const OF_SITE = 3;

type Candidate = Facts &
  Parameters<typeof inTurns>[0][number] & { tokenId: string; words: string; isLabelled: boolean };

const readCandidates = reader<Candidate>("search candidates", (labelled, hasTables) => ({
  ...{ did: sql`app.did`, site: sql`app.site`, owner: sql`app.owner`, minter: sql`app.minter` },
  ...{ words: labelled("words"), nameFolded: labelled("name_folded") },
  isLabelled: sql.raw(
    hasTables ? "(app.pointer is not null or label.token_id is not null)" : "app.pointer is not null",
  ),
}));

/** The token ids of the first records by relevance, whether no others match, and by what words they match. */
export async function rank(query: SearchQuery, q: string) {
  const found = new Set<string>();
  let nameFolded: string | null = null;
  const find = async (by: Understood) => {
    nameFolded = nameKeys(by.corrected.length === 0 ? q : by.words.join(" ")).nameFolded;
    const candidates = await candidatesOf(query, by, nameFolded);
    for (const { tokenId } of candidates) found.add(tokenId);
    return candidates.filter(({ matches }) => matches).length;
  };
  const understood = await understand(q, find, /\s/.test(q) ? FEW : 1);
  const terms = termsOf(understood?.words ?? []);
  const worth = await worthOf(terms);
  const candidates = await readCandidates([...found]);
  const scored = candidates.map((row) => {
    const isNamed = nameFolded !== null && row.nameFolded === nameFolded;
    return { ...row, score: score({ ...row, isNamed, unproven: unprovenOf(row) }, terms, worth) };
  });
  scored.sort((a, b) => b.score - a.score || Number(a.tokenId) - Number(b.tokenId));
  const isOfOne = (query.owner ?? query.minter ?? query.did ?? query.didPrefix) !== undefined;
  const ordered = isOfOne ? scored : inTurns(scored, q);
  return { ranked: ordered.slice(0, RANKED).map(({ tokenId }) => tokenId), understood };
}

/** What a candidate lacks now, as the column `unproven` counts it, and whether its service is dead. */
const unprovenOf = ({ isLabelled, ...facts }: Candidate): number =>
  (facts.control === "pass" ? 0 : lacking.control) +
  (isLabelled || facts.attestedUntil !== null ? 0 : lacking.content) +
  (liveOf(facts) === "fail" ? lacking.live : 0);

const byEvidence = sql`order by unproven, token_id`;

/** Kinds of matches, those first that count more. */
const kinds: Label[][] = [["name"], ["name", "head"], ["anywhere"]];

/** Records that hold so many of the words, of each kind while the ones before it leave places; and those of that very name. */
async function candidatesOf(query: SearchQuery, understood: Understood, nameFolded: string | null) {
  const terms = await searchedTerms(understood.words);
  const sources = await sourcesOf({ q: query.q });
  const select = (condition: (source: Source) => Sql, end = sql``): Sql => {
    const selects = sources.map(
      (source) => sql`(
        select app.token_id, app.unproven, app.site from ${source.from}
        where ${and(filters(query, source), condition(source))} ${end})`,
    );
    return sql.join(selects, sql` union all `);
  };
  const lookAt = (condition: string) =>
    sql.raw(`(select * from holding where ${condition} limit ${LOOKED_AT})`);
  // A view is planned as if it were read whole, thus by the index of words, and read as far as the limits.
  const matching = kinds.reduce(
    (found, among) => sql`
      with found as materialized (${found}),
        holding as materialized (${select((source) => holds(atLeast(terms, understood.least, among), source))}),
        looked_at as (${lookAt("unproven = 0")} union all ${lookAt("unproven > 0")} limit ${LOOKED_AT}::int)
      select token_id from found union (
        select token_id from looked_at where (select count(*) from found) < ${wantedOf(understood)}::int
        ${byEvidence} limit ${CANDIDATES}::int)`,
    sql`select null::numeric as token_id where false`,
  );
  const isNamed = (source: Source) => sql`${labelOf(source, "name_folded")} = ${nameFolded}`;
  const { rows } = await db.execute<{ tokenId: string; matches: boolean }>(sql`
    select token_id::text as "tokenId", bool_or(matches) as matches from (
      select token_id, true as matches from (${matching}) as matching union all
      select token_id, false from (
        select token_id, row_number() over (partition by site ${byEvidence}) as place
        from (${select(isNamed, sql`limit ${OF_NAME}::int`)}) as of_name
      ) as of_site where place <= ${OF_SITE}::int
    ) as found group by token_id`);
  return rows;
}
