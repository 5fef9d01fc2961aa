import { parseArgs } from "node:util";
import { formatNumber, markdownTable, readSnapshot, writeResults } from "../results.ts";
import { measureGas } from "./measure.ts";
import { findGrownRows, type GasRowName, gasRows } from "./rows.ts";

/**
 * `pnpm bench:gas [--update]`: Measures the gas of every operation, and prints it with its target and other systems'
 * figures. Writes bench/results/gas.json. `--update` writes the snapshot, which the tests enforce. Without it, exits
 * with 1 if a row exceeds its target, or the snapshot by 1 %.
 */
const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: { update: { type: "boolean", default: false } },
});

const names = Object.keys(gasRows) as GasRowName[];

const figures = await measureGas();
const problems: string[] = [];
const rows = names.map((name) => {
  const { target, reference, erc8004 } = gasRows[name];
  if (target !== null && figures[name] > target) problems.push(`${name} is above its target`);
  return [name, ...[figures[name], target, reference, erc8004].map(formatNumber)];
});
console.log(markdownTable(["Row", "Gas:", "Target:", "Reference:", "ERC-8004:"], rows));
await writeResults("gas", figures, values.update);

if (!values.update) {
  for (const { row, before, after } of findGrownRows(figures, await readSnapshot("gas")))
    problems.push(`${row} costs ${formatNumber(after)}, over 1 % more than ${formatNumber(before)}`);
  for (const problem of problems) console.log(problem);
  if (problems.length > 0) process.exitCode = 1;
}
