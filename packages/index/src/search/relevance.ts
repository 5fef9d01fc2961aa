import type { SearchQuery } from "@app-registry/sdk";
import { getDidHost } from "@app-registry/sdk/internal";
import { and, sql } from "drizzle-orm";
import { fields, stem } from "../document/buildRecordLexemes.ts";
import { getNameKeys } from "../document/keys.ts";
import { missingEvidence } from "../evidence.ts";
import { prepareRows, type Session, type Sql } from "../session.ts";
import {
  buildFilters,
  type Evidence,
  evidenceColumns,
  labelColumn,
  listSources,
  matchesQuerySql,
  type Source,
  toLiveFact,
} from "./filters.ts";
import { type InterpretedQuery, interpretQuery } from "./interpretQuery.ts";
import { createRecordReader } from "./records.ts";
import {
  buildMinimumMatchQuery,
  type LexemeField,
  readWorth,
  type Term,
  toSearchTerms,
  toTerms,
} from "./terms.ts";

const FIELD_WEIGHTS: Record<(typeof fields)[number], number> = {
  name: 2.5,
  labels: 2,
  tools: 1.5,
  text: 1,
  path: 0.6,
  host: 0.4,
};

const FORM_WEIGHTS = { whole: 1, joined: 0.95, stem: 0.9, prefix: 0.6 };

/** Bonus for each further field of a word, as a share of that field's weight. */
const EXTRA_FIELD_FACTOR = 0.2;
/** Bonus for adjacent words, as a share of their worth. Either order counts; in a text, also with one word between. */
const PHRASE_BOOST = 2;
/** Bonus if the name consists of the words. */
const FULL_NAME_BOOST = 0.7;
/** Reduction of a text's weight per word. */
const LENGTH_PENALTY = 0.01;
/** Bonus for a word at the beginning of a text. */
const LEADING_WORD_BOOST = 0.3;
const LEADING_WORDS = 10;
/** Score of records whose name is the query. It exceeds all others. */
const EXACT_NAME_BOOST = 1_000;
/** Share of the score that each piece of missing evidence removes. */
const MISSING_EVIDENCE_PENALTY = 0.05;

export type ScoringInput = {
  words: string;
  /** True if its name is the query. */
  isNamed: boolean;
  unproven: number;
};

/**
 * Creates a function that returns the score of a record for a search. It depends on the fields and worth of each term,
 * adjacent terms, the share of matched terms, and missing evidence.
 *
 * @param worth Worth of each term, which is higher for rare words
 */
export function createScorer(terms: readonly Term[], worth: readonly number[]) {
  // A stem has the same initial as its word, so skip words with other initials.
  const initials = new Set(
    terms.flatMap(({ text, joined }) => [text, ...joined].map((word) => word.charCodeAt(0))),
  );
  const known = new Map<string, number[] | null>();
  const getForms = (word: string) => {
    let forms = initials.has(word.charCodeAt(0)) ? known.get(word) : null;
    if (forms === undefined) {
      forms = terms.map((term) => getMatchForm(word, term));
      if (!forms.some((form) => form > 0)) forms = null;
      known.set(word, forms);
    }
    return forms;
  };
  return (input: ScoringInput) => score(input, terms, worth, getForms);
}

function score(
  { words, isNamed, unproven }: ScoringInput,
  terms: readonly Term[],
  worth: readonly number[],
  getForms: (word: string) => readonly number[] | null,
): number {
  const evidence = 1 - MISSING_EVIDENCE_PENALTY * unproven;
  // Return here: repeating the name in other fields must not improve the rank of a copied name.
  if (isNamed) return EXACT_NAME_BOOST * evidence;
  // Squares, so that one rare word outweighs several common ones.
  const total = worth.reduce((sum, one) => sum + one ** 2, 0);
  const best = terms.map(() => 0);
  const sums = terms.map(() => 0);
  const pairs = new Set<string>();
  let inName = 0;
  let nameWorth = 0;
  let nameLength = 1;
  for (const [at, line] of words.split("\n").entries()) {
    const field = fields[at];
    if (field === undefined || line === "") continue;
    const list = line.split(" ");
    if (field === "name") nameLength = list.length;
    const found = terms.map(() => 0);
    const last: (readonly [term: number, position: number])[] = [];
    for (let position = 0; position < list.length; position++) {
      const forms = getForms(list[position] ?? "");
      if (!forms) continue;
      for (const [index, form] of forms.entries()) {
        if (form === 0) continue;
        if (field === "name" && found[index] === 0) {
          inName += form;
          nameWorth += worth[index] ?? 0;
        }
        const density =
          field === "text"
            ? (1 + LEADING_WORD_BOOST * Math.max(0, 1 - position / LEADING_WORDS)) /
              (1 + LENGTH_PENALTY * list.length)
            : 1;
        found[index] = Math.max(found[index] ?? 0, FIELD_WEIGHTS[field] * form * density);
        for (const [other, where] of last) {
          if (other !== index && position - where <= (field === "text" ? 2 : 1))
            pairs.add([other, index].sort().join());
        }
        last.push([index, position]);
      }
    }
    for (const [index, value] of found.entries()) {
      best[index] = Math.max(best[index] ?? 0, value);
      // A DID usually repeats the name, so its path and host add no bonus.
      if (field !== "path" && field !== "host") sums[index] = (sums[index] ?? 0) + value;
    }
  }
  let result = 0;
  let met = 0;
  for (const [index, one] of worth.entries()) {
    const [highest = 0, sum = 0] = [best[index], sums[index]];
    if (highest > 0) met += one ** 2;
    result += one * (highest + EXTRA_FIELD_FACTOR * Math.max(0, sum - highest));
  }
  for (const pair of pairs) {
    const [a = 0, b = 0] = pair.split(",").map(Number);
    if (Math.abs(a - b) === 1) result += (PHRASE_BOOST * ((worth[a] ?? 0) + (worth[b] ?? 0))) / 2;
  }
  result += FULL_NAME_BOOST * nameWorth * Math.min(1, inName / nameLength);
  const share = total === 0 ? 0 : met / total;
  return result * share * evidence;
}

function getMatchForm(word: string, { text, stem: termStem, joined, isPrefix }: Term): number {
  if (word === text) return FORM_WEIGHTS.whole;
  if (joined.includes(word)) return FORM_WEIGHTS.joined;
  if (stem(word) === termStem) return FORM_WEIGHTS.stem;
  return isPrefix && word.startsWith(text) ? FORM_WEIGHTS.prefix : 0;
}

/** Most records to scan per kind of match, to take from it as candidates, and to rank. */
const SCAN_LIMIT = 200;
const MAX_CANDIDATES = 40;
const MAX_RANKED = 100;

/** If fewer records contain all words of a sentence, the search also accepts most of the words. */
const MIN_FULL_MATCHES = 10;

/** Returns the number of candidates at which weaker kinds of match are skipped. */
export const getCandidateGoal = ({ words, least }: InterpretedQuery): number =>
  least < words.length ? MIN_FULL_MATCHES : MAX_CANDIDATES;

/** Most records of one name to scan, and to take from one site. */
const SAME_NAME_SCAN_LIMIT = 2_000;
const MAX_SAME_NAME_PER_SITE = 3;

type Candidate = Evidence & DiversityKeys & { tokenId: string; words: string };

const readCandidates = createRecordReader<Candidate>("search candidates", (labelled, hasTables) => ({
  ...{ did: sql`app.did`, site: sql`app.site`, owner: sql`app.owner`, minter: sql`app.minter` },
  ...{ words: labelled("words"), nameFolded: labelled("name_folded"), ...evidenceColumns(hasTables) },
}));

/** Returns the first token ids by relevance, their interpretation, and a flag that no other records match. */
export async function rankRecords(session: Session, query: SearchQuery, q: string) {
  const found = new Set<string>();
  let nameFolded: string | null = null;
  const find = async (by: InterpretedQuery) => {
    nameFolded = getNameKeys(by.corrected.length === 0 ? q : by.words.join(" ")).nameFolded;
    const candidates = await findCandidates(session, query, by, nameFolded);
    for (const { tokenId } of candidates) found.add(tokenId);
    return candidates.filter(({ matches }) => matches).length;
  };
  const understood = await interpretQuery(session, q, find, /\s/.test(q) ? MIN_FULL_MATCHES : 1);
  // Common words can fill the scans with records that lack the rarest ones.
  if (understood && understood.least < understood.words.length) {
    const rare = { ...understood, words: understood.rarest, least: 1 };
    for (const { tokenId } of await findCandidates(session, query, rare, null)) found.add(tokenId);
  }
  const terms = toTerms(understood?.words ?? []);
  const score = createScorer(terms, await readWorth(session, terms));
  const candidates = await readCandidates(session, [...found]);
  const scored = candidates.map((row) => {
    const isNamed = nameFolded !== null && row.nameFolded === nameFolded;
    return { ...row, score: score({ ...row, isNamed, unproven: getMissingEvidence(row) }) };
  });
  scored.sort((a, b) => b.score - a.score || Number(a.tokenId) - Number(b.tokenId));
  const isOfOne = (query.owner ?? query.minter ?? query.did ?? query.under) !== undefined;
  const ordered = isOfOne ? scored : diversifyResults(scored, q);
  return { ranked: ordered.slice(0, MAX_RANKED).map(({ tokenId }) => tokenId), understood };
}

/** Returns a candidate's missing evidence as bit flags: those of the column `unproven`, and `live`. */
const getMissingEvidence = ({ isControlled, hasContent, ...live }: Candidate): number =>
  (isControlled ? 0 : missingEvidence.control) +
  (hasContent ? 0 : missingEvidence.content) +
  (toLiveFact(live) === "fail" ? missingEvidence.live : 0);

const byEvidence = sql`order by unproven, token_id`;

/** Kinds of matches, strongest first. */
const matchFields: LexemeField[][] = [["name"], ["name", "head"], ["anywhere"]];

/** Finds candidates by kind of match, strongest first, until there are enough, and records whose name is the query. */
async function findCandidates(
  session: Session,
  query: SearchQuery,
  understood: InterpretedQuery,
  nameFolded: string | null,
) {
  const terms = await toSearchTerms(session, understood.words);
  const sources = listSources(session, { q: query.q });
  const select = (condition: (source: Source) => Sql, end = sql``): Sql => {
    const selects = sources.map(
      (source) => sql`(
        select app.token_id, app.unproven, app.site from ${source.from}
        where ${and(buildFilters(query, source), condition(source))} ${end})`,
    );
    return sql.join(selects, sql` union all `);
  };
  const lookAt = (condition: string) =>
    sql.raw(`(select * from holding where ${condition} limit ${SCAN_LIMIT})`);
  // `materialized` makes PostgreSQL use the index of words, and it stops reading at the limits.
  const matching = matchFields.reduce(
    (found, among) => sql`
      with found as materialized (${found}),
        holding as materialized (${select((source) => matchesQuerySql(buildMinimumMatchQuery(terms, { least: understood.least }, among), source))}),
        looked_at as (${lookAt("unproven = 0")} union all ${lookAt("unproven > 0")} limit ${SCAN_LIMIT}::int)
      select token_id from found union (
        select token_id from looked_at where (select count(*) from found) < ${getCandidateGoal(understood)}::int
        ${byEvidence} limit ${MAX_CANDIDATES}::int)`,
    sql`select null::numeric as token_id where false`,
  );
  const isNamed = (source: Source) => sql`${labelColumn(source, "name_folded")} = ${nameFolded}`;
  const found = sql`
    select token_id::text as "tokenId", bool_or(matches) as matches from (
      select token_id, true as matches from (${matching}) as matching union all
      select token_id, false from (
        select token_id, row_number() over (partition by site ${byEvidence}) as place
        from (${select(isNamed, sql`limit ${SAME_NAME_SCAN_LIMIT}::int`)}) as of_name
      ) as of_site where place <= ${MAX_SAME_NAME_PER_SITE}::int
    ) as found group by token_id`;
  return prepareRows<{ tokenId: string; matches: boolean }>(found, getShape(query, sources))(session);
}

/** Parameters that most searches have. Their values change only the values of a statement, not its best plan. */
const plainParameters = new Set(["q", "traits", "status", "match", "interface", "cursor", "limit", "facets"]);

/**
 * Returns the name of a search's statement if its parameters are so common that connections may keep a plan for it. It
 * takes longer to plan than to execute.
 */
function getShape({ status, match, traits, ...query }: SearchQuery, sources: readonly Source[]) {
  const isPlain = Object.entries(query).every(
    ([key, value]) => value === undefined || plainParameters.has(key),
  );
  const shape = [status === "any", traits?.length ? match : "", query.interface, sources.length];
  return isPlain ? `candidates ${shape.join(" ")}` : undefined;
}

/** Fields by which results are grouped. */
type DiversityKeys = {
  did: string;
  site: string;
  owner: string;
  minter: string;
  nameFolded: string | null;
};

/** Number of first results to diversify, and most of them per host, path, site or controller. */
const DIVERSIFIED_RESULTS = 10;
const MAX_PER_GROUP = 3;

/** Number of top results in which a site or controller appears once per name. */
const TOP_RESULTS = 3;

/** Returns the host, path, site and accounts of a record, except for those that the query names. */
function getGroups({ did, site, owner, minter }: DiversityKeys, q: string): string[] {
  const [, , ...parts] = did.split(":");
  const names = getDidHost(did) === undefined ? [did] : [parts[0] ?? "", parts.join("/"), site];
  const typed = q.toLowerCase();
  return [...new Set([...names.filter((name) => !typed.includes(name)), owner, minter])];
}

/**
 * Reorders results so that, if there are others, no host, path, site or controller takes more than three of the first
 * ten, or more than one of the first three under one name. The remaining results follow in their order.
 *
 * @param q Text of the query. The limits do not apply to a host that it names
 */
function diversifyResults<Result extends DiversityKeys>(results: readonly Result[], q: string): Result[] {
  const left = [...results];
  const placed: Result[] = [];
  const taken = new Map<string, number>();
  const getCount = (key: string) => taken.get(key) ?? 0;
  const listKeys = (result: Result) => {
    const groups = getGroups(result, q);
    // Contracts of one chain share `site` without being related, so count `site` only together with the name.
    const named = [...groups, result.site].map((group) => `${group} ${result.nameFolded}`);
    return { groups, named: result.nameFolded === null ? [] : [...new Set(named)] };
  };
  while (placed.length < DIVERSIFIED_RESULTS && left.length > 0) {
    const fits = (result: Result) => {
      const { groups, named } = listKeys(result);
      const isFirst = placed.length < TOP_RESULTS;
      return (
        groups.every((key) => getCount(key) < MAX_PER_GROUP) &&
        !(isFirst && named.some((key) => getCount(key) > 0))
      );
    };
    const at = Math.max(0, left.findIndex(fits));
    const [next] = left.splice(at, 1);
    if (next === undefined) break;
    const { groups, named } = listKeys(next);
    for (const key of [...groups, ...named]) taken.set(key, getCount(key) + 1);
    placed.push(next);
  }
  return [...placed, ...left];
}
