import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type GasFigures, type GasRowName, gasRows } from "../../bench/gas/rows.ts";
import { formatNumber, markdownTable, readSnapshot } from "../../bench/results.ts";
import { rootDirectory } from "../stack/processes.ts";
import { replaceBlock } from "./replaceBlock.ts";

/** Returns the text of docs/contracts.md with the gas of the committed snapshot. */
export async function renderContractsPage(): Promise<string> {
  const page = await readFile(join(rootDirectory, "docs/contracts.md"), "utf8");
  return replaceBlock(page, "gas", await renderGasTable());
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
