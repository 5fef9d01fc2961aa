import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { capture, rootDirectory } from "../stack/processes.ts";
import { readCoverage } from "./readCoverage.ts";

/**
 * `pnpm coverage`: runs the behaviour tests over contracts that report each statement, and ends with 1 when a test
 * fails, or when lines or statements of contracts/ (mocks and examples aside) are below 100 %.
 */
const config = "scripts/contract-coverage/hardhat.config.ts";
const report = join(rootDirectory, "coverage/lcov.info");

/** Tests that take no part, because they are about contracts as they are deployed. */
const leftOut: Record<string, string> = {
  "test/gas/snapshot.test.ts": "reporting statements costs gas",
  "test/resolver/gas.test.ts": "reporting statements costs gas and bytes",
  "test/resolver/deployment.test.ts": "it deploys the ordinary build, in processes of its own",
  "test/registry/scale.test.ts": "it bounds the gas of a call, over thousands of records",
};

const tests = globSync("test/**/*.test.ts", { cwd: rootDirectory })
  .filter((file) => !(file in leftOut))
  .sort();
const parameters = ["--config", config, "--coverage", "test", "mocha", ...tests];
const { code, output } = await capture("hardhat", parameters);
const text = stripVTControlCharacters(output);
if (code !== 0) {
  console.log(text);
  process.exit(1);
}

const { linePercent, statementPercent, missed } = readCoverage(text, await readFile(report, "utf8"));
console.log(/^ *\d+ passing.*$/m.exec(text)?.[0] ?? "");
console.log(`\nLeft out of this run, and held by pnpm test:`);
for (const [file, reason] of Object.entries(leftOut)) console.log(`  ${file.padEnd(36)}${reason}`);
console.log(`\nLines ${linePercent.toFixed(2)} %, statements ${statementPercent.toFixed(2)} %`);
for (const line of missed) console.log(`  not run: ${line}`);
if (missed.length > 0 || linePercent < 100 || statementPercent < 100) process.exit(1);
