import type { ClassifiedAddress, Fact, Outcome, VerificationReport } from "@app-registry/sdk";
import {
  chainFactNames,
  type FactName,
  factNames,
  getReportOutcomes,
  isCheckedUse,
} from "@app-registry/sdk/internal";

/** Id of a fact's line on a page. */
export const factAnchor = (name: FactName): string => `fact-${name}`;

export type Facts = VerificationReport["facts"];

/** Returns the facts of a report, each with its name. */
export const namedFacts = (facts: Facts): { name: FactName; fact: Fact }[] =>
  factNames.flatMap((name) => {
    const fact = facts[name];
    return fact === undefined ? [] : [{ name, fact }];
  });

/**
 * Returns true if a host or the chain did not respond, so that another check may help. Ignores *live*, which has its
 * own schedule.
 */
export const isIncomplete = ({ live: _, ...facts }: Facts): boolean =>
  Object.values(facts).some(
    ({ outcome, evidence }) => outcome === "unknown" || "lastKnownAtBlock" in evidence,
  );

/**
 * Appearance of services in the formats of others, by the outcome of *control*: whether a catalog under the DID's host may
 * list them, and their status in the MCP registry's API, with the message for its readers.
 */
export const outwardStates: Record<
  Outcome,
  { isListed: boolean; mcpStatus: "active" | "deprecated"; message?: string }
> = {
  pass: { isListed: true, mcpStatus: "active" },
  unknown: { isListed: false, mcpStatus: "active" },
  fail: {
    isListed: false,
    mcpStatus: "deprecated",
    message: "No controller of the DID stands behind this record: control is not currently proven.",
  },
};

/** Word for each outcome. */
export const outcomeWords: Record<Outcome, string> = { pass: "Pass", fail: "Fail", unknown: "Unknown" };

/** Next step of a reader, by the fact that fails, the gravest first. */
const nextSteps: readonly [FactName, string][] = [
  ["control", "Don't rely on this service until its control is proven again."],
  ["content", "Don't use this service now: its document isn't the registered one."],
  ["record", "Use another service."],
  ["origin", "Don't sign in or pay at an address that isn't proven to belong to it."],
  ["attested", "Don't rely on it: no issuer confirms its document now. Check again later."],
  ["live", "Check again before you rely on it."],
];

/**
 * Returns what a reader should do next.
 *
 * @param proven Whom the registry proved: a host or a path; `undefined` for a contract.
 */
export function getNextStep(report: Pick<VerificationReport, "facts">, proven: string | undefined): string {
  const outcomes = getReportOutcomes(report);
  // Without evidence, the last known outcome says nothing about addresses. A contract is its own address.
  const { addresses } = report.facts.origin.evidence as { addresses?: ClassifiedAddress[] };
  const used = addresses?.filter(({ use }) => isCheckedUse(use));
  const failing = nextSteps.find(([name]) => outcomes[name] === "fail");
  if (failing !== undefined) {
    const [name, step] = failing;
    const hosts = (used ?? []).flatMap(({ url, leads }) =>
      leads === "elsewhere" && URL.canParse(url) ? [new URL(url).host] : [],
    );
    const isNamed = name === "origin" && hosts.length > 0;
    const first = isNamed ? `Don't connect, sign in or pay at ${listFirst([...new Set(hosts)])}.` : step;
    const isSilentToo = outcomes.live === "fail" && name !== "live";
    return isSilentToo ? `${first} The service also failed its last live check.` : first;
  }
  const isKnown = chainFactNames.every((name) => (outcomes[name] ?? "unknown") !== "unknown");
  if (!isKnown) return "Don't rely on it until everything can be checked. Check again later.";
  return proven === undefined || used === undefined || used.length > 0
    ? `If you mean ${proven ?? "this contract"}, use it as shown below.`
    : "There is nothing to use here: its document names no address.";
}

/** Formats a list of which only the first two are named. */
const listFirst = (names: string[]): string =>
  new Intl.ListFormat("en", { type: "disjunction" }).format(
    names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} other hosts`] : names,
  );

/**
 * Shape of each outcome in a box of 16 × 16, so that color is not the only difference: a filled disc, a crossed diamond
 * and a hollow ring. The line has the color of the background over a solid part, and the mark's own color otherwise.
 */
export const markShapes: Record<Outcome, { solid?: string; line: string }> = {
  pass: { solid: "M8 1a7 7 0 1 0 0 14a7 7 0 1 0 0-14z", line: "M4.8 8.3l2.2 2.2 4.3-4.8" },
  fail: { solid: "M8 .6L15.4 8 8 15.4.6 8z", line: "M5.8 5.8l4.4 4.4m0-4.4l-4.4 4.4" },
  unknown: { line: "M8 1.8a6.2 6.2 0 1 0 0 12.4a6.2 6.2 0 1 0 0-12.4zM5.4 8h5.2" },
};
