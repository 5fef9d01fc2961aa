import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { capture, rootDirectory } from "../stack/processes.ts";

const config = "scripts/contract-coverage/hardhat.config.ts";
const report = join(rootDirectory, "coverage/lcov.info");

/** Tests that take no part, because they are about contracts as they are deployed. */
export const leftOut: Record<string, string> = {
  "test/gas/snapshot.test.ts": "reporting statements costs gas",
  "test/resolver/gas.test.ts": "reporting statements costs gas and bytes",
  "test/resolver/deployment.test.ts": "it deploys the ordinary build, in processes of its own",
  "test/deployment/deploymentFile.test.ts": "it calls no contract",
  "test/deployment/openNetwork.test.ts": "it calls no contract",
  "test/deployment/repeatedDeployment.test.ts": "it deploys the ordinary build",
  "test/deployment/scripts.test.ts": "it verifies the ordinary build, in processes of its own",
  "test/deployment/settings.test.ts": "it calls no contract",
  "test/model/compare.test.ts": "reporting statements takes long, over thousands of calls",
  "test/registry/largestRecords.test.ts": "reporting statements costs gas",
  "test/registry/scale.test.ts": "it bounds the gas of a call, over thousands of records",
};

/**
 * Runs the behaviour tests over contracts that report each statement.
 * @returns What the runner printed, and whether all tests passed and ran every line and statement of contracts/
 * (mocks and examples aside).
 */
export async function coverBehaviour(environment: Record<string, string> = {}) {
  const tests = globSync("test/**/*.test.ts", { cwd: rootDirectory })
    .filter((file) => !(file in leftOut))
    .sort();
  const parameters = ["--config", config, "--coverage", "test", ...tests];
  const { code, output } = await capture("hardhat", parameters, { environment });
  const text = stripVTControlCharacters(output);
  if (code !== 0) return { ok: false, output: text, summary: text };

  const { linePercent, statementPercent, missed } = readCoverage(text, await readFile(report, "utf8"));
  const summary = [
    `Lines ${linePercent.toFixed(2)} %, statements ${statementPercent.toFixed(2)} %`,
    ...missed.map((line) => `  not run: ${line}`),
  ].join("\n");
  const complete = missed.length === 0 && linePercent === 100 && statementPercent === 100;
  return { ok: complete, output: text, summary };
}

/**
 * Reads the table that Hardhat prints, and its lcov file for the missed lines, which the table cuts short.
 * @throws When there is no table or no file in it: a run that measured nothing.
 */
function readCoverage(output: string, lcov: string) {
  const [, linePercent, statementPercent] = /\bTotal\W+(\d+\.\d+)\W+(\d+\.\d+)/.exec(output) ?? [];
  if (linePercent === undefined || !lcov.includes("SF:contracts/")) {
    throw new Error("The run has measured nothing");
  }
  return {
    linePercent: Number(linePercent),
    statementPercent: Number(statementPercent),
    missed: readMissedLines(lcov),
  };
}

function readMissedLines(lcov: string): string[] {
  return lcov.split("end_of_record").flatMap((section) => {
    const file = /^SF:(.+)$/m.exec(section)?.[1];
    return [...section.matchAll(/^DA:(\d+),0$/gm)].map(([, line]) => `${file}:${line}`);
  });
}
