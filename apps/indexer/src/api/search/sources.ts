import { app } from "ponder:schema";
import type { SearchQuery } from "@app-registry/sdk";
import { sql } from "ponder";
import type { Sql } from "../sql.ts";
import { labels, labelsExist } from "./labels.ts";

/** Records, with the columns out of the documents that label them. */
export type Source = {
  from: Sql;
  /** Which of its rows count; undefined for all. */
  only: Sql | undefined;
  searchVector: Sql;
  nameVector: Sql;
  sortName: Sql<string>;
};

const label = (column: string) => sql.raw(`label.${column}`);

/** Every record, with the labels that its JSON on the chain gives. */
const chain: Source = {
  from: sql`${app}`,
  only: undefined,
  searchVector: sql`${app.searchVector}`,
  nameVector: sql`${app.nameVector}`,
  sortName: sql`${app.sortName}`,
};

/** Records without labels of a document at their dataUrl. One with a name has it from the chain. */
const chainAlone: Source = {
  ...chain,
  only: sql`(${app.name} is not null or not exists (
    select from ${labels.table} where ${labels.isOfRecord}))`,
};

/** Records that a document at their dataUrl labels. */
const dataUrl: Source = {
  from: sql`${app} join ${labels.table} on ${labels.isOfRecord}`,
  only: undefined,
  searchVector: label("search_vector"),
  nameVector: label("name_vector"),
  sortName: sql`${label("sort_name")}`,
};

/** Every record with its labels, wherever they come from; no index helps to find one. */
const every: Source = {
  from: sql`${app} left join ${labels.table} on ${labels.isOfRecord}`,
  only: undefined,
  searchVector: sql`coalesce(${label("search_vector")}, ${app.searchVector})`,
  nameVector: sql`coalesce(${label("name_vector")}, ${app.nameVector})`,
  sortName: sql`coalesce(${label("sort_name")}, ${app.sortName})`,
};

/** Where a search looks. */
export type Sources = {
  /** Each record stands in one of them; an index serves each. */
  parts: readonly Source[];
  /** All of them, for records that are found already. */
  whole: Source;
};

const ofChain: Sources = { parts: [chain], whole: chain };
const ofBoth: Sources = { parts: [chainAlone, dataUrl], whole: every };

/** The sources whose labels decide what a search finds, or in which order. */
export async function sourcesOf({ q, sort }: SearchQuery): Promise<Sources> {
  const asksForLabels = q !== undefined || sort === "name";
  return asksForLabels && (await labelsExist()) ? ofBoth : ofChain;
}

/** One select of several sources: `select` makes each, and `end` orders and limits each and the whole. */
export const fromEach = (parts: readonly Source[], select: (source: Source) => Sql, end: Sql): Sql =>
  parts.length === 1
    ? sql.join([...parts.map(select), end], sql` `)
    : sql`${sql.join(
        parts.map((source) => sql`(${select(source)} ${end})`),
        sql` union all `,
      )} ${end}`;
