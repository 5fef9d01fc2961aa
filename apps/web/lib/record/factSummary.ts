import { type FactName, type FactViews, factNames, type Outcome } from "./facts.ts";

/** Outcome of each fact. A fact without a check is unknown. */
export type FactOutcomes = Record<FactName, Outcome>;

/** Returns the word for a fact that is unknown. A missing live check is normal; another fact could not be checked. */
export const unknownWord = (name: FactName): string => (name === "live" ? "not checked" : "unknown");

/** Returns the facts that fail, then those that are unknown. */
export const openFacts = (outcomes: FactOutcomes): FactName[] =>
  (["fail", "unknown"] as const).flatMap((outcome) => factNames.filter((name) => outcomes[name] === outcome));

/** Returns how many of all facts pass. Unknown facts count among them, so that they never look like passed ones. */
export function passCount(outcomes: FactOutcomes): string {
  if (factNames.every((name) => outcomes[name] === "unknown")) return "No fact checked";
  const passed = factNames.filter((name) => outcomes[name] === "pass");
  if (passed.length === factNames.length) return `All ${passed.length} facts pass`;
  return `${passed.length} of ${factNames.length} facts pass`;
}

/** Names a fact that does not pass, with its outcome: "content fails". */
export const openFactText = (name: FactName, outcomes: FactOutcomes): string =>
  `${name} ${outcomes[name] === "unknown" ? unknownWord(name) : "fails"}`;

/** Returns {@link passCount} and the name of each fact that fails or is unknown, on one line. */
export const factSummary = (outcomes: FactOutcomes): string =>
  [passCount(outcomes), ...openFacts(outcomes).map((name) => openFactText(name, outcomes))].join("; ");

/** Returns the outcome of each fact of a report. */
export const reportOutcomes = (facts: FactViews): FactOutcomes =>
  Object.fromEntries(factNames.map((name) => [name, facts[name]?.outcome ?? "unknown"])) as FactOutcomes;

/** Returns the {@link factSummary} of a report. */
export const reportSummary = (facts: FactViews): string => factSummary(reportOutcomes(facts));
