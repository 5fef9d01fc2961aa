import { appStatusLabels, type LiveStatus, type SearchResult } from "@app-registry/sdk";
import { type FactOutcomes, factNames, liveFailures, summarizeFacts } from "@app-registry/sdk/internal";
import { dayText } from "../../lib/record/times.ts";
import { FactMarks } from "./FactMarks.tsx";

type RowFactsProps = {
  /** Outcomes that are known. */
  outcomes: FactOutcomes;
  result: Pick<SearchResult, "status" | "live">;
  isLastKnown?: boolean;
};

/** Shows the six marks of a row, and says which facts fail or are unknown. */
export function RowFacts({ outcomes, result: { status, live }, isLastKnown = false }: RowFactsProps) {
  const reasons = {
    record: status === 0 ? undefined : appStatusLabels[status],
    live: outcomes.live === "fail" && live !== undefined ? formatDeadSince(live) : undefined,
  };
  const summary = summarizeFacts(outcomes, reasons);
  return <FactMarks outcomes={outcomes} summary={summary} lastKnown={isLastKnown ? factNames : []} />;
}

/** Describes a failed live check: "unreachable since 21 Nov 2026". */
function formatDeadSince({ outcome, answeredAt }: LiveStatus): string {
  const words = liveFailures[outcome];
  if (outcome === "answers" || outcome === "gated") return words;
  if (answeredAt !== null) return `${words} since ${dayText(new Date(answeredAt * 1_000))}`;
  return outcome === "unreachable" ? `${words}, never responded` : words;
}
