import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { capture, rootDirectory } from "./stack/processes.ts";

/**
 * `pnpm coverage`: runs the contracts' behavior tests with Hardhat's coverage. Exits with 1 if a test fails, or if a line
 * or statement of contracts/ (mocks and examples aside) does not run. Tests of gas, size and deployment need the ordinary
 * build, so they are in other folders.
 */
const BEHAVIOR = "test/{conformance,differential,registry,resolver,threats}/**/*.test.ts";

const tests = globSync(BEHAVIOR, { cwd: rootDirectory }).sort();
const { code, output } = await capture("hardhat", ["--coverage", "test", "mocha", ...tests]);
const text = stripVTControlCharacters(output);
console.log(text);
if (code !== 0) process.exit(code);

const [, lines, statements] = /\bTotal\W+(\d+\.\d+)\W+(\d+\.\d+)/.exec(text) ?? [];
const lcov = await readFile(join(rootDirectory, "coverage/lcov.info"), "utf8");
for (const section of lcov.split("end_of_record")) {
  const file = /^SF:(.+)$/m.exec(section)?.[1];
  for (const [, line] of section.matchAll(/^DA:(\d+),0$/gm)) console.error(`not run: ${file}:${line}`);
}
process.exit(lcov.includes("SF:contracts/") && lines === "100.00" && statements === "100.00" ? 0 : 1);
