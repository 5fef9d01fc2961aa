import type { ClassifiedAddress, VerificationReport } from "@app-registry/sdk";
import { chainFactNames, type FactName, getReportOutcomes, isCheckedUse } from "@app-registry/sdk/internal";

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
