import { parseArgs } from "node:util";
import hre from "hardhat";
import { formatNumber, markdownTable, readSnapshot, writeResults, writeSnapshot } from "../results.ts";
import { measureGas } from "./measure.ts";
import { findGrownRows, type GasFigures, type GasRowName, gasRows } from "./rows.ts";

/**
 * `pnpm bench:gas [--update]`: Measures the gas of every operation, and prints it with its target and other systems'
 * figures. Writes bench/results/gas.json. `--update` writes the snapshot, which the tests enforce. Without it, exits
 * with 1 if a row exceeds its target, or the snapshot by 1 %.
 */
const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: { update: { type: "boolean", default: false } },
});

/** Limit of a contract's code size, in bytes. The chain's own limit is 24,576. */
const MAX_CODE_SIZE = 22_000;

const names = Object.keys(gasRows) as GasRowName[];

function isAboveTarget(name: GasRowName, figures: GasFigures): boolean {
  const { target } = gasRows[name];
  return target !== null && figures[name] > target;
}

function printSettings(): void {
  const [compiler] = hre.config.solidity.profiles.default?.compilers ?? [];
  const { outputSelection, ...settings } = compiler?.settings ?? {};
  console.log(`solc ${compiler?.version} ${JSON.stringify(settings)}\n`);
}

function printTable(figures: GasFigures): void {
  const rows = names.map((name) => {
    const { target, reference, erc8004 } = gasRows[name];
    const cells = [figures[name], target, reference, erc8004].map(formatNumber);
    return [name, ...cells, isAboveTarget(name, figures) ? "above its target" : ""];
  });
  console.log(markdownTable(["Row", "Gas:", "Target:", "Reference:", "ERC-8004:", ""], rows));
}

async function printCodeSizes(): Promise<void> {
  console.log(`\nBytes of code, each at most ${formatNumber(MAX_CODE_SIZE)}`);
  for (const contract of ["AppRegistry", "AppMetadata", "ResolverWithStore"]) {
    const { deployedBytecode } = await hre.artifacts.readArtifact(contract);
    const size = deployedBytecode.length / 2 - 1;
    console.log(`${contract}: ${formatNumber(size)}${size > MAX_CODE_SIZE ? ", too large" : ""}`);
  }
}

const figures = await measureGas();
printSettings();
printTable(figures);
await printCodeSizes();

await writeResults(
  "gas",
  Object.fromEntries(names.map((name) => [name, { gas: figures[name], ...gasRows[name] }])),
);

if (values.update) {
  await writeSnapshot("gas", figures);
} else {
  const grown = findGrownRows(figures, await readSnapshot("gas"));
  for (const { row, before, after } of grown) {
    console.log(
      `${row} costs ${formatNumber(after)}, over 1 % more than the snapshot's ${formatNumber(before) || "–"}`,
    );
  }
  if (grown.length > 0 || names.some((name) => isAboveTarget(name, figures))) process.exitCode = 1;
}
