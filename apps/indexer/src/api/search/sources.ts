import { app } from "ponder:schema";
import type { SearchQuery } from "@app-registry/sdk";
import { and, sql } from "ponder";
import type { Sql } from "../sql.ts";
import { changes, changesExist, labels, labelsExist, tablesExist } from "./labels.ts";

/** Records, with the columns out of the documents that label them. */
export type Source = {
  from: Sql;
  /** Which of its rows count; undefined for all. */
  only: Sql | undefined;
  /** A document that hashes to the record's dataHash was read. */
  isLabelled: Sql;
  searchVector: Sql;
  words: Sql;
  nameFolded: Sql;
  sortName: Sql<string>;
  /** Last change of what is told of the record, Unix seconds. */
  changedAt: Sql;
  /** The token id, out of the table whose index holds the order by `changedAt`. */
  tokenId: Sql;
  /** The worker may know what the dataUrls and services of its records served. */
  isChecked: boolean;
};

const label = (column: string) => sql.raw(`label.${column}`);

/** Every record, with the labels that its JSON on the chain gives. */
const chain: Source = {
  from: sql`${app}`,
  only: undefined,
  isLabelled: sql`(${app.pointer} is not null)`,
  searchVector: sql`${app.searchVector}`,
  words: sql`${app.words}`,
  nameFolded: sql`${app.nameFolded}`,
  sortName: sql`${app.sortName}`,
  changedAt: sql`${app.changedAt}`,
  tokenId: sql`${app.tokenId}`,
  isChecked: false,
};

/** Records without labels of a document at their dataUrl. One whose JSON is on the chain has them from there. */
const chainAlone: Source = {
  ...chain,
  only: sql`(${app.pointer} is not null or not exists (
    select from ${labels.table} where ${labels.isOfRecord}))`,
};

/** Records that a document at their dataUrl labels. */
const dataUrl: Source = {
  ...chain,
  from: sql`${app} join ${labels.table} on ${labels.isOfRecord}`,
  only: sql`${app.pointer} is null`,
  isLabelled: sql`true`,
  searchVector: label("search_vector"),
  words: label("words"),
  nameFolded: label("name_folded"),
  sortName: sql`${label("sort_name")}`,
};

/** Those of a source that the worker changed since the chain did. */
const changedLater = (source: Source): Source => ({
  ...source,
  from: sql`${source.from} join ${changes} on change.token_id = ${app.tokenId}`,
  only: and(source.only, sql`change.changed_at > ${app.changedAt}`),
  changedAt: sql`change.changed_at`,
  tokenId: sql`change.token_id`,
});

/** The others of a source. A subquery for each record, because no join may keep the index of the order from being read. */
const changedByChain = (source: Source): Source => ({
  ...source,
  only: and(
    source.only,
    sql`coalesce((select change.changed_at from ${changes} where change.token_id = ${app.tokenId}), 0) <= ${app.changedAt}`,
  ),
});

/** Where a search looks. Each record stands in one of `before` and `parts`; an index serves each. */
export type Sources = {
  parts: readonly Source[];
  /** Parts that are looked through before the others: see `pageInOrder`. */
  before: readonly Source[];
};

const ofChain: Sources = { parts: [chain], before: [] };
const ofBoth: Sources = { parts: [chainAlone, dataUrl], before: [] };

const byChange = ({ parts }: Sources): Sources => ({
  parts: parts.map(changedByChain),
  before: parts.map(changedLater),
});

/** The sources whose labels or changes decide what a search finds, or in which order. */
export async function sourcesOf(query: SearchQuery): Promise<Sources> {
  const { q, name, sort, updatedSince } = query;
  const asksForLabels = q !== undefined || name !== undefined || sort === "name";
  const asksForChanges = updatedSince !== undefined || sort === "changed";
  const sources = asksForLabels && (await labelsExist()) ? ofBoth : ofChain;
  const { before, parts } = asksForChanges && (await changesExist()) ? byChange(sources) : sources;
  if ((query.content ?? query.live ?? query.drift) === undefined || !(await tablesExist()))
    return { before, parts };
  const checked = (source: Source) => ({ ...source, isChecked: true });
  return { before: before.map(checked), parts: parts.map(checked) };
}

/**
 * One select of several sources: `select` makes each, and `end` orders and limits each and the whole.
 *
 * @param isRare PostgreSQL takes a word that its statistics leave out for more frequent than it is, and would walk every
 *   record in the order of `end`. The view is planned as if it were read whole, thus by the index of words.
 */
export function fromEach(
  parts: readonly Source[],
  select: (source: Source) => Sql,
  end: Sql,
  isRare = false,
): Sql {
  if (isRare)
    return sql`with found as materialized (${fromEach(parts, select, sql``)}) select * from found ${end}`;
  const selects = parts.map((source) => sql`(${select(source)} ${end})`);
  return parts.length === 1 ? sql`${selects[0]}` : sql`${sql.join(selects, sql` union all `)} ${end}`;
}
