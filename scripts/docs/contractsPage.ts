import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type GasFigures, type GasRowName, gasRows } from "../../bench/gas/rows.ts";
import { readSnapshot } from "../../bench/results.ts";
import type { Report, Tally } from "../mutation/run.ts";
import { rootDirectory } from "../stack/processes.ts";
import { replaceBlock } from "./replaceBlock.ts";

const number = (value: number | null) => (value === null ? "" : value.toLocaleString("en-US"));

/** The text of docs/contracts.md with the figures of the committed snapshots. */
export async function renderContractsPage(): Promise<string> {
  const page = await readFile(join(rootDirectory, "docs/contracts.md"), "utf8");
  const withGas = replaceBlock(page, "gas", await renderGasTable());
  return replaceBlock(withGas, "mutation", await renderMutationTable());
}

async function renderGasTable(): Promise<string> {
  const snapshot = await readSnapshot<Partial<GasFigures>>("gas");
  const rows = (Object.keys(gasRows) as GasRowName[]).map((name) => {
    const { target, reference, erc8004 } = gasRows[name];
    const cells = [snapshot[name] ?? null, target, reference, erc8004].map(number);
    return `| \`${name}\` | ${cells.join(" | ")} |`;
  });
  return [
    "| Operation | Gas | Target, at most | Reference registry | ERC-8004 |",
    "|---|---:|---:|---:|---:|",
    ...rows,
  ].join("\n");
}

async function renderMutationTable(): Promise<string> {
  const file = join(rootDirectory, "scripts/mutation/report.json");
  const { total, byRule, survivors, generated } = JSON.parse(await readFile(file, "utf8")) as Report;
  const row = (name: string, counts: Tally) => {
    const { mutants, killed, timedOut, equivalent, survived } = counts;
    return `| ${name} | ${[mutants, killed, timedOut, equivalent, survived].join(" | ")} |`;
  };
  return [
    `Tried: ${total.mutants} of the ${number(generated)} faults that the rules find.`,
    "",
    "| Rule | Tried | Killed | Timed out | Equivalent | Survived |",
    "|---|---:|---:|---:|---:|---:|",
    ...Object.entries(byRule).map(([rule, counts]) => row(rule, counts)),
    row("all", total),
    "",
    ...survivors.map(
      ({ place, change, equivalent }) => `- ${place}, \`${change}\`: ${equivalent ?? "not listed."}`,
    ),
  ].join("\n");
}
