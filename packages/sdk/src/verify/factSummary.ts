import type { Attestation } from "../client/attestation.ts";
import type { LiveOutcome } from "../search/marks.ts";
import type { Outcome, SearchResult } from "../search/searchResult.ts";
import type { Fact, VerificationReport } from "./report.ts";

/** Facts that follow from the chain and the registered document, in display order. */
export const chainFactNames = ["record", "control", "content", "attested", "origin"] as const;

/** All facts in display order. They are never merged into a score. */
export const factNames = [...chainFactNames, "live"] as const;

export type FactName = (typeof factNames)[number];

/** Outcomes of the facts of a service. A missing fact is unknown. */
export type FactOutcomes = { readonly [Name in FactName]?: Outcome | undefined };

/** Label of each fact, the question that it answers, and the words for a fact that fails. */
export const factTexts: Record<FactName, { label: string; question: string; fails: string }> = {
  record: {
    label: "Record",
    question: "Is this version registered, and is its record Active?",
    fails: "not Active",
  },
  control: {
    label: "Control",
    question: "Does the account that holds or registered the record control the DID now?",
    fails: "not currently proven",
  },
  content: {
    label: "Content",
    question: "Does the metadata match the registered hash?",
    fails: "doesn't match the record",
  },
  attested: {
    label: "Attested",
    question: "Does an issuer currently attest this dataHash?",
    fails: "no issuer attests it now",
  },
  origin: {
    label: "Origin",
    question: "Are all its addresses on the proven host, or on another host of the same controller?",
    fails: "an address isn't on the proven host",
  },
  live: {
    label: "Live",
    question: "Did the service respond at the last check, and match the registered version?",
    fails: "failed the last check",
  },
};

/** Words for a live check that fails, by its outcome. A service that responds fails if it differs. */
export const liveFailures: Record<LiveOutcome, string> = {
  answers: "differs from the registered version",
  gated: "differs from the registered version",
  failing: "responds with an error",
  "other-protocol": "unexpected response",
  unreachable: "unreachable",
  unknown: factTexts.live.fails,
};

const marks: Record<Outcome, string> = { pass: "✓", fail: "✗", unknown: "–" };

/**
 * Returns six marks, one per fact in the order of `factNames`: pass, fail or unknown.
 *
 * @example
 * formatFactMarks({ record: "pass", control: "fail" }); // "✓✗––––"
 */
export const formatFactMarks = (outcomes: FactOutcomes): string =>
  factNames.map((name) => marks[outcomes[name] ?? "unknown"]).join("");

/**
 * Returns the sentence beside the six marks. It never counts only the facts that were checked.
 *
 * @param reasons Short reasons why facts fail or are unknown. Default: the words of `factTexts`, or none.
 * @param isLiveRead False if the result of the live check couldn't be read. Otherwise nobody checked an unknown *live*.
 * @example
 * const passing = { record: "pass", control: "pass", content: "pass", attested: "pass", origin: "pass" } as const;
 * summarizeFacts(passing, { live: "the publisher opted out" }); // "5 pass, live isn't checked: the publisher opted out"
 */
export function summarizeFacts(outcomes: FactOutcomes, reasons: FactReasons = {}, isLiveRead = true): string {
  const having = (outcome: Outcome) => factNames.filter((name) => (outcomes[name] ?? "unknown") === outcome);
  const passing = having("pass");
  if (passing.length === factNames.length) return `All ${passing.length} facts pass`;
  const unread = having("unknown");
  if (unread.length === factNames.length) return `Not checked now${because(reasons.record)}`;
  const failing = having("fail").map((name) => {
    const { label, fails } = factTexts[name];
    return `${label} fails: ${reasons[name] ?? fails}`;
  });
  const passed =
    passing.length === 0 ? [] : [`${passing.length} ${passing.length === 1 ? "passes" : "pass"}`];
  const failed = unread.filter((name) => name !== "live" || !isLiveRead);
  const unknown = [
    ...(failed.length > 0 ? [`${list.format(failed)} couldn't be checked`] : []),
    ...(failed.length < unread.length ? [`live isn't checked${because(reasons.live)}`] : []),
  ];
  return [...failing, [...passed, ...unknown].join(", ")].filter(Boolean).join(". ");
}

export type FactReasons = { readonly [Name in FactName]?: string | undefined };

const list = new Intl.ListFormat("en");

const because = (reason: string | undefined): string => (reason === undefined ? "" : `: ${reason}`);

/** Facts of a report. *live* is missing if it was not checked. */
type ReportFacts = Pick<VerificationReport, "facts">;

export const getReportOutcomes = ({ facts }: ReportFacts): FactOutcomes =>
  Object.fromEntries(factNames.map((name) => [name, facts[name]?.outcome]));

/** Returns the sentence of {@link summarizeFacts} for a report. It contains no text of the publisher. */
export function summarizeReport({
  facts,
  blockNumber,
}: ReportFacts & { blockNumber?: number | null }): string {
  const { record, control, live } = facts;
  // Reasons with endpoints contain the names that the publisher gave them.
  const isOwn = live?.outcome === "unknown" && !(live.evidence.endpoints as unknown[] | undefined)?.length;
  const reasons = {
    record:
      blockNumber === null ? "the chain doesn't respond" : (record.evidence.status as string | undefined),
    control: explainControl(control),
    live: isOwn
      ? live.reason.charAt(0).toLowerCase() + live.reason.slice(1).split(/\.(?: |$)/)[0]
      : live?.outcome === "fail"
        ? liveFailures[live.evidence.outcome as LiveOutcome]
        : undefined,
  };
  const summary = summarizeFacts(getReportOutcomes({ facts }), reasons, live?.evidence.error === undefined);
  const known = factNames.filter((name) => facts[name]?.evidence.lastKnownAtBlock !== undefined);
  const [first] = known;
  if (first === undefined) return summary;
  const block = facts[first]?.evidence.lastKnownAtBlock;
  return blockNumber === null
    ? `Not checked now${because(reasons.record)}. At block ${block}: ${summary}`
    : `${summary}, ${list.format(known.map((name) => factTexts[name].label.toLowerCase()))} as of block ${block}`;
}

const dayFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
const day = (seconds: number): string => dayFormat.format(seconds * 1_000);

/** Returns why *control* fails in a few words, from the evidence of `controlFact`. */
function explainControl({ outcome, evidence }: Fact): string | undefined {
  const { accounts, blockedUntil, controlsFrom, waiting } = evidence as {
    accounts?: { attestations: Attestation[] }[];
    blockedUntil?: number;
    controlsFrom?: number;
    waiting?: boolean;
  };
  if (outcome !== "fail" || accounts === undefined) return undefined;
  if (blockedUntil !== undefined) return `blocked until ${day(blockedUntil)}`;
  if (controlsFrom !== undefined) return `not in effect before ${day(controlsFrom)}`;
  if (waiting) return undefined;
  const [newest] = accounts
    .flatMap(({ attestations }) => attestations)
    .filter(({ startedAt }) => startedAt > 0)
    .toSorted((a, b) => b.statedAt - a.statedAt);
  if (newest === undefined) return factTexts.attested.fails;
  const { endedAt, expiresAt } = newest;
  return endedAt !== undefined && endedAt < expiresAt
    ? `the proof was revoked or challenged on ${day(endedAt)}`
    : `the proof expired on ${day(expiresAt)}`;
}

/** Returns the last known outcomes of a search result. */
export const getResultOutcomes = ({
  status,
  facts,
}: Pick<SearchResult, "status" | "facts">): FactOutcomes => ({
  ...facts,
  record: status === 0 ? "pass" : "fail",
});
