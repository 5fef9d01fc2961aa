import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type GasFigures, type GasRowName, gasRows } from "../../bench/gas/rows.ts";
import { formatNumber, markdownTable, readSnapshot } from "../../bench/results.ts";
import type { Report } from "../mutation/run.ts";
import { rootDirectory } from "../stack/processes.ts";
import { replaceBlock } from "./replaceBlock.ts";

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
    return [`\`${name}\``, ...[snapshot[name], target, reference, erc8004].map(formatNumber)];
  });
  const head = ["Operation", "Gas:", "Target, at most:", "Reference registry:", "ERC-8004:"];
  return markdownTable(head, rows);
}

async function renderMutationTable(): Promise<string> {
  const file = join(rootDirectory, "scripts/mutation/report.json");
  const { total, byRule, survivors, generated } = JSON.parse(await readFile(file, "utf8")) as Report;
  const rows = Object.entries({ ...byRule, all: total }).map(([rule, counts]) => {
    const { mutants, killed, timedOut, equivalent, survived } = counts;
    return [rule, mutants, killed, timedOut, equivalent, survived];
  });
  const head = ["Rule", "Tried:", "Killed:", "Timed out:", "Equivalent:", "Survived:"];
  return [
    `Tried: ${total.mutants} of the ${formatNumber(generated)} faults that the rules find.`,
    "",
    markdownTable(head, rows),
    "",
    ...survivors.map(
      ({ place, change, equivalent }) => `- ${place}, \`${change}\`: ${equivalent ?? "not listed."}`,
    ),
  ].join("\n");
}
