import type { DocumentState, LiveStatus, Outcome, SearchQuery, SearchResult } from "@app-registry/sdk";
import { hashCanonicalDid, MAX_OTHER_HOSTS, toLiveOutcome } from "@app-registry/sdk/internal";
import { and, eq, inArray, sql } from "drizzle-orm";
import { getTraitHash } from "../document/keys.ts";
import { isAtLeastSql, type Session, type Sql } from "../session.ts";
import { app, liveDataHashAttestation, liveDidAttestation } from "../tables.ts";
import { probeJoinSql, recordJoinSql } from "../workerTables.ts";

/** Names a table of the worker, with the condition that its row matches the current state of the record `app`. */
const workerTable = (name: string, isOfRecord: string) => ({
  table: sql.raw(name),
  isOfRecord: sql.raw(isOfRecord),
});

const isOffchain = (row: string) =>
  `app.pointer is null and ${row}.token_id = app.token_id and ${recordJoinSql(row, "app")}`;

/** Labels of records without JSON on the chain, from the document at their dataUrl. */
export const labels = workerTable("label", isOffchain("label"));

/** Results of checking the dataUrl of records without JSON on the chain. */
export const checks = workerTable("record", `${isOffchain("record")} and record.data_url = app.data_url`);

export const probes = workerTable("probe", `${probeJoinSql("probe", "app")} and probe.outcome is not null`);

/** Times of the worker's last change of a record, if later than the chain's. */
export const changes = workerTable(
  "change",
  "change.token_id = app.token_id and change.changed_at > app.changed_at",
);

/** Subset of the records that one index can search. Each record is in exactly one source of a search. */
export type Source = {
  from: Sql;
  /** Condition of its rows; `undefined` for all. */
  where: Sql | undefined;
  /** Table with the label columns. */
  label: "app" | "label";
  /** Table with the columns `changed_at` and `token_id` and an index on both. */
  change: "app" | "change";
  hasTables: boolean;
};

/** Lists the sources of a search. They depend on its use of labels and changes in filters and order. */
export function listSources(
  { hasWorkerTables: hasTables }: Session,
  { q, sort, updatedSince }: Partial<SearchQuery>,
): Source[] {
  const chain: Source = { from: sql`${app}`, where: undefined, label: "app", change: "app", hasTables };
  const asksForLabels = q !== undefined || sort === "name";
  const sources = hasTables && asksForLabels ? splitSource(chain, labels, { label: "label" }) : [chain];
  const asksForChanges = updatedSince !== undefined || sort === "changed";
  if (!hasTables || !asksForChanges) return sources;
  return sources.flatMap((source) => splitSource(source, changes, { change: "change" }));
}

/** Splits a source into records with and without a row in a table. A subquery keeps the index of an order usable. */
const splitSource = (
  source: Source,
  { table, isOfRecord }: typeof labels,
  has: Partial<Source>,
): Source[] => [
  { ...source, ...has, from: sql`${source.from} join ${table} on ${isOfRecord}` },
  {
    ...source,
    where: and(source.where, sql`coalesce((select false from ${table} where ${isOfRecord}), true)`),
  },
];

export const labelColumn = ({ label }: Source, column: string): Sql => sql.raw(`${label}.${column}`);

/** Builds the condition that a record of a source matches a tsquery. */
export const matchesQuerySql = (query: Sql | string, source: Source): Sql =>
  sql`${labelColumn(source, "search_vector")} @@ ${query}::tsquery`;

/** Attestations by which the minter or holder controls the DID. */
export const controlling = sql`
  from ${liveDidAttestation} run where run.did_hash = app.did_hash and run.controller in (case when app.has_minter_lost then app.owner else app.minter end, app.owner)
    and run.matured and not run.blocked`;

const dataHashRuns = sql`
  from ${liveDataHashAttestation} stated where stated.did_hash = app.did_hash and stated.data_hash = app.data_hash`;

const liveColumns = (hasTables: boolean) =>
  hasTables ? { outcome: sql`probe.outcome`, drift: sql`probe.drift` } : {};

/** Builds the condition that an account which controls the record's DID also controls one of some DIDs. */
export const isLinkedTo = (didHashes: Sql): Sql => sql`exists (select ${controlling} and exists (
  select from ${liveDidAttestation} of_host where of_host.did_hash = any (${didHashes})
    and of_host.controller = run.controller and of_host.matured and not of_host.blocked))`;

/** Builds the outcome of *origin* for the record `app`, by the rule of `originFact` (sdk). */
const originOutcome = (outsideHosts: Sql) => sql`(
  select case when ${outsideHosts} is null then 'unknown'
    when bool_and(${isLinkedTo(sql`string_to_array(host, ' ')`)}) is false then 'fail'
    when cardinality(${outsideHosts}) > ${sql.raw(String(MAX_OTHER_HOSTS))} then 'unknown'
    else 'pass' end
  from unnest((${outsideHosts})[:${sql.raw(String(MAX_OTHER_HOSTS))}]) host)`;

/** Builds the columns of `Facts` for the record `app` at the index's last block. */
export const factColumns = (labelled: (column: string) => Sql, hasTables: boolean): Record<string, Sql> => ({
  origin: originOutcome(labelled("outside_hosts")),
  control: sql`(select case when count(*) = 0 then 'fail' else 'pass' end ${controlling})`,
  attestedUntil: sql`(select max(stated.expires_at)::float8 ${dataHashRuns})`,
  ...liveColumns(hasTables),
});

/** Builds the columns of `Evidence`. Attestations of a dataHash are read only for records without a document. */
export const evidenceColumns = (hasTables: boolean): Record<string, Sql> => ({
  isControlled: sql`(select count(*) > 0 ${controlling})`,
  hasContent: sql`case when app.pointer is not null ${sql.raw(hasTables ? "or label.token_id is not null" : "")} then true
    else (select count(*) > 0 ${dataHashRuns}) end`,
  ...liveColumns(hasTables),
});

/** Values of `factColumns`. Without a probe of the service, `outcome` and `drift` are null or absent. */
export type Facts = { control: Outcome; origin: Outcome } & {
  /** Expiry of the last attestation of its dataHash, in Unix seconds; null while none is live. */
  attestedUntil: number | null;
} & LiveColumns;

type LiveColumns = { [Property in "outcome" | "drift"]?: LiveStatus[Property] | null };

export type Evidence = { isControlled: boolean; hasContent: boolean } & LiveColumns;

export const toLiveFact = ({ outcome, drift }: LiveColumns): Outcome =>
  outcome && drift ? toLiveOutcome({ outcome, drift }) : "unknown";

/** States of the document at a dataUrl that decide the fact *content*. */
const statesByOutcome: Record<"pass" | "fail", DocumentState[]> = {
  pass: ["served"],
  fail: ["mismatch", "not-json"],
};

/** Returns the facts of a result. @param document State of its dataUrl, or `chain` if its JSON is on the chain */
export function toFactOutcomes(
  facts: Facts,
  document: DocumentState | "chain" = "pending",
): SearchResult["facts"] {
  const isAsked = (outcome: "pass" | "fail") => statesByOutcome[outcome].includes(document as DocumentState);
  return {
    control: facts.control,
    content: document === "chain" || isAsked("pass") ? "pass" : isAsked("fail") ? "fail" : "unknown",
    attested: facts.attestedUntil === null ? "fail" : "pass",
    ...(facts.attestedUntil !== null && { attestedUntil: facts.attestedUntil }),
    origin: facts.origin,
    live: toLiveFact(facts),
  };
}

const not = (condition: Sql): Sql => sql`not ${condition}`;

export function factFilters({ control, content, attested, live, drift }: SearchQuery, hasTables: boolean) {
  const known = ({ table, isOfRecord }: typeof probes, condition: Sql) =>
    hasTables ? sql`exists (select from ${table} where ${isOfRecord} and ${condition})` : sql`false`;
  const served = (states: DocumentState[]) =>
    known(checks, sql`record.state = any (${`{${states.join()}}`}::text[])`);
  const [passed, failed] = [
    sql`(app.pointer is not null or ${served(statesByOutcome.pass)})`,
    served(statesByOutcome.fail),
  ];
  const isControlled = sql`exists (select ${controlling})`;
  const isAttested = sql`exists (select ${dataHashRuns})`;
  const conditions = {
    control: { pass: isControlled, fail: not(isControlled), unknown: sql`false` },
    content: { pass: passed, fail: failed, unknown: sql`not ${passed} and not ${failed}` },
    attested: { pass: isAttested, fail: not(isAttested), unknown: sql`false` },
  };
  const isNotAsked = not(known(probes, sql`probe.outcome <> 'unknown'`));
  return and(
    control && conditions.control[control],
    content && conditions.content[content],
    attested && conditions.attested[attested],
    live && (live === "unknown" ? isNotAsked : known(probes, sql`probe.outcome = ${live}`)),
    drift && known(probes, sql`probe.drift = ${drift}`),
  );
}

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
