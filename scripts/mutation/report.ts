import type { Mutant } from "./generate.ts";
import { pathOf } from "./project.ts";
import type { Result } from "./results.ts";
import { type RuleName, ruleNames } from "./rules/rules.ts";

/** What became of the faults that were tried. */
export interface Tally {
  mutants: number;
  killed: number;
  timedOut: number;
  equivalent: number;
  survived: number;
}

export interface Report {
  seed: number;
  /** Faults that the rules find, compilable or not, and how many of those that were tried do not compile. */
  generated: number;
  uncompilable: number;
  total: Tally;
  byRule: Partial<Record<RuleName, Tally>>;
  byFile: Record<string, Tally>;
  survivors: { id: string; place: string; rule: RuleName; change: string; equivalent: string | null }[];
}

interface ReportParameters {
  seed: number;
  mutants: Mutant[];
  results: Result[];
  /** Reason by id. */
  equivalents: Map<string, string>;
}

export function createReport({ seed, mutants, results, equivalents }: ReportParameters): Report {
  const byId = new Map(mutants.map((mutant) => [mutant.id, mutant]));
  const found = results.flatMap((result) => {
    const mutant = byId.get(result.id);
    return mutant && result.status !== "uncompilable" ? [{ mutant, result }] : [];
  });
  const tally = (wanted: (mutant: Mutant) => boolean): Tally => {
    const all = found.filter(({ mutant }) => wanted(mutant)).map(({ result }) => result);
    const count = (test: (result: Result) => boolean) => all.filter(test).length;
    const isAlive = ({ status }: Result) => status === "survived";
    return {
      mutants: all.length,
      killed: count(({ status }) => status === "killed"),
      timedOut: count(({ status }) => status === "timed out"),
      equivalent: count((result) => isAlive(result) && equivalents.has(result.id)),
      survived: count((result) => isAlive(result) && !equivalents.has(result.id)),
    };
  };
  const paths = [...new Set(mutants.map(({ source }) => source))].sort();
  return {
    seed,
    generated: mutants.length,
    uncompilable: results.filter(({ status }) => status === "uncompilable").length,
    total: tally(() => true),
    byRule: Object.fromEntries(ruleNames.map((name) => [name, tally(({ rule }) => rule === name)])),
    byFile: Object.fromEntries(paths.map((path) => [pathOf(path), tally(({ source }) => source === path)])),
    survivors: found
      .filter(({ result }) => result.status === "survived")
      .map(({ mutant }) => ({
        id: mutant.id,
        place: `${mutant.member} (${pathOf(mutant.source)}:${mutant.line})`,
        rule: mutant.rule,
        change: describeChange(mutant),
        equivalent: equivalents.get(mutant.id) ?? null,
      })),
  };
}

export function describeChange({ original, replacement }: Mutant): string {
  const line = (text: string) => text.replaceAll(/\s+/g, " ").trim() || "(nothing)";
  return `${line(original)} → ${line(replacement)}`;
}

/** The table of a report: rule by what became of its mutants. */
export function formatTable({ byRule, total }: Report): string {
  const row = (name: string, { mutants, killed, timedOut, equivalent, survived }: Tally) =>
    name.padEnd(22) +
    [mutants, killed, timedOut, equivalent, survived].map((count) => String(count).padStart(11)).join("");
  const head = ["mutants", "killed", "timed out", "equivalent", "survived"];
  return [
    "rule".padEnd(22) + head.map((name) => name.padStart(11)).join(""),
    ...Object.entries(byRule).map(([name, tally]) => row(name, tally)),
    row("all", total),
  ].join("\n");
}
