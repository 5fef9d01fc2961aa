import { liveDataHashAttestation, liveDidAttestation, objection } from "ponder:schema";
import type { DocumentState, Outcome, SearchQuery, SearchResult } from "@app-registry/sdk";
import { and, sql } from "ponder";
import type { Sql } from "../sql.ts";
import { checks } from "./labels.ts";

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

/** The facts of the record `app` at the index's last block that change without its row, in two words: see `factsOf`. */
export const liveFacts = sql<string>`
  (select case when count(*) = 0 then 'fail' when bool_and(${isDisputed}) then 'unknown' else 'pass' end ${counting})
  || ' ' || coalesce((select max(stated.expires_at)::text ${attesting}), '')`;

/** What the document at a dataUrl says of the content; what is left out says nothing. */
const contentOf: Partial<Record<DocumentState, Outcome>> = {
  served: "pass",
  mismatch: "fail",
  "not-json": "fail",
};

/**
 * Whether the record is the latest major, and its facts.
 *
 * @param state Its `recordState`
 * @param document What its dataUrl served; `chain` when its JSON is on the chain
 */
export function factsOf(state: string, document: DocumentState | "chain" | undefined) {
  const [, latest, control, until] = state.split(" ");
  const facts = {
    control: control as Outcome,
    content: document === "chain" ? "pass" : ((document && contentOf[document]) ?? "unknown"),
    attested: until ? "pass" : "fail",
    ...(until && { attestedUntil: Number(until) }),
  } satisfies SearchResult["facts"];
  return { latest: latest === "true", facts };
}

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

/**
 * That the facts of a record have the outcomes that a search asks for.
 *
 * @param hasChecks Whether the worker has made its tables.
 */
export function factFilters(
  { control, content, attested }: SearchQuery,
  hasChecks: boolean,
): Sql | undefined {
  const [passed, failed] = (["pass", "fail"] as const).map((outcome) =>
    hasChecks ? sql`(app.pointer is null and ${served(outcome)})` : sql`false`,
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
  return and(
    control && conditions.control[control],
    content && conditions.content[content],
    attested && conditions.attested[attested],
  );
}
