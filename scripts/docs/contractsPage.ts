import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type GasRowName, gasRows } from "../bench/gasRows.ts";
import { readGasSnapshot } from "../bench/gasSnapshot.ts";
import { rootDirectory } from "../stack/processes.ts";
import { replaceBlock } from "./replaceBlock.ts";

const number = (value: number | null) => (value === null ? "" : value.toLocaleString("en-US"));

/** The text of docs/contracts.md with the figures of the committed snapshots. */
export async function renderContractsPage(): Promise<string> {
  const page = await readFile(join(rootDirectory, "docs/contracts.md"), "utf8");
  return replaceBlock(page, "gas", await renderGasTable());
}

async function renderGasTable(): Promise<string> {
  const snapshot = await readGasSnapshot();
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
