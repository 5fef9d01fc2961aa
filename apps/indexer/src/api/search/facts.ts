import { liveDataHashAttestation, liveDidAttestation, objection } from "ponder:schema";
import type {
  DocumentState,
  Drift,
  LiveOutcome,
  Outcome,
  SearchQuery,
  SearchResult,
} from "@app-registry/sdk";
import { liveOutcomeOf } from "@app-registry/sdk/internal";
import { and, sql } from "ponder";
import type { Sql } from "../sql.ts";
import { checks, probes } from "./labels.ts";

/** The live runs of the minter or holder by which it controls the DID, unless an objection in force bars them. */
const counting = sql`
  from ${liveDidAttestation} run where run.did_hash = app.did_hash and run.controller in (app.minter, app.owner)
    and (run.settled or run.vouched)`;

/** An objection bars a run that settles after it was made, while it is in force: only the resolver knows whether it is. */
const isDisputed = sql`exists (
  select from ${objection} objection where objection.did_hash = run.did_hash and objection.account = run.controller
    and objection.ended_at is null and objection.objected_at < run.settles_at)`;

const attesting = sql`
  from ${liveDataHashAttestation} stated where stated.did_hash = app.did_hash and stated.data_hash = app.data_hash`;

/**
 * The facts of the record `app` at the index's last block, as columns: see `Facts`.
 *
 * @param hasProbes Whether `probes` is joined.
 */
export const factColumns = (hasProbes: boolean): Sql => sql`
  (select case when count(*) = 0 then 'fail' when bool_and(${isDisputed}) then 'unknown' else 'pass' end ${counting})
    as control,
  (select max(stated.expires_at)::float8 ${attesting}) as "attestedUntil"
  ${hasProbes ? sql`, probe.outcome, probe.drift` : sql``}`;

/** What `factColumns` says of a record. */
export type Facts = {
  control: Outcome;
  /** When the last attestation of its dataHash expires, Unix seconds; null while none is live. */
  attestedUntil: number | null;
  /** Null before its service was asked, and absent while no worker ever ran. */
  outcome?: LiveOutcome | null;
  drift?: Drift;
};

/** Outcome of the fact *live*. */
export const liveOf = ({ outcome, drift }: Facts): Outcome =>
  outcome && drift ? liveOutcomeOf({ outcome, drift }) : "unknown";

/** What the document at a dataUrl says of the content; what is left out says nothing. */
const contentOf: Partial<Record<DocumentState, Outcome>> = {
  served: "pass",
  mismatch: "fail",
  "not-json": "fail",
};

/**
 * The facts of a result.
 *
 * @param document What its dataUrl served; `chain` when its JSON is on the chain
 */
export const factsOf = (facts: Facts, document: DocumentState | "chain" | undefined) =>
  ({
    control: facts.control,
    content: document === "chain" ? "pass" : ((document && contentOf[document]) ?? "unknown"),
    attested: facts.attestedUntil === null ? "fail" : "pass",
    ...(facts.attestedUntil !== null && { attestedUntil: facts.attestedUntil }),
    live: liveOf(facts),
  }) satisfies SearchResult["facts"];

const not = (condition: Sql): Sql => sql`not ${condition}`;

const isCounting = sql`exists (select ${counting})`;
const isControlled = sql`exists (select ${counting} and not ${isDisputed})`;
const isAttested = sql`exists (select ${attesting})`;

/** That its JSON is only at its dataUrl, which served a document with that outcome. */
const served = (outcome: Outcome): Sql => {
  const states = Object.entries(contentOf).flatMap(([state, of]) => (of === outcome ? [sql`${state}`] : []));
  return sql`exists (
    select from ${checks.table} where ${checks.isOfRecord} and record.data_url = app.data_url
      and record.state in (${sql.join(states, sql`, `)}))`;
};

/** That its service was asked, with a result of which something holds. */
const asked = (condition: Sql): Sql =>
  sql`exists (select from ${probes.table} where ${probes.isOfRecord} and ${condition})`;

/**
 * That the facts of a record have the outcomes that a search asks for.
 *
 * @param hasTables Whether the worker has made its tables.
 */
export function factFilters(
  { control, content, attested, live, drift }: SearchQuery,
  hasTables: boolean,
): Sql | undefined {
  const [passed, failed] = (["pass", "fail"] as const).map((outcome) =>
    hasTables ? sql`(app.pointer is null and ${served(outcome)})` : sql`false`,
  ) as [Sql, Sql];
  const conditions = {
    control: {
      pass: isControlled,
      fail: not(isCounting),
      unknown: sql`${isCounting} and ${not(isControlled)}`,
    },
    content: {
      pass: sql`(app.pointer is not null or ${passed})`,
      fail: failed,
      unknown: sql`app.pointer is null and ${not(passed)} and ${not(failed)}`,
    },
    attested: { pass: isAttested, fail: not(isAttested), unknown: sql`false` },
  };
  const probed = (condition: Sql) => (hasTables ? asked(condition) : sql`false`);
  return and(
    live &&
      (live === "unknown"
        ? not(probed(sql`probe.outcome <> 'unknown'`))
        : probed(sql`probe.outcome = ${live}`)),
    drift && probed(sql`probe.drift = ${drift}`),
    control && conditions.control[control],
    content && conditions.content[content],
    attested && conditions.attested[attested],
  );
}
