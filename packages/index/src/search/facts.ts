import type { DocumentState, LiveStatus, Outcome, SearchQuery, SearchResult } from "@app-registry/sdk";
import { MAX_OTHER_HOSTS, toLiveOutcome } from "@app-registry/sdk/internal";
import { and, sql } from "drizzle-orm";
import type { Sql } from "../sql.ts";
import { liveDataHashAttestation, liveDidAttestation } from "../tables.ts";
import { checks, probes } from "./sources.ts";

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

/** Values of `evidenceColumns`. */
export type Evidence = { isControlled: boolean; hasContent: boolean } & LiveColumns;

/** Returns the outcome of the fact *live*. */
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

/** Builds the filters of a search by the outcomes of facts. */
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
