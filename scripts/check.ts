import { availableParallelism } from "node:os";
import { capture } from "./stack/processes.ts";

type Check = [name: string, command: string, ...parameters: string[]];

/** Builds a type check with the native compiler, which needs a third less CPU time. Other tools need the older API. */
const types = (name: string, project: string, ...more: string[]): Check => [
  `types: ${name}`,
  "node_modules/typescript-native/bin/tsc",
  // Use one thread: sharing work between threads costs more than it saves.
  ...["-p", project, "--checkers", "1", ...more],
];

const isLint = process.argv.includes("--lint");
const isBuilt = process.argv.includes("--built");

/** Builds that {@link checksAfterBuild} need: the ABIs, and the types of the web app's routes. */
const builds: Check[] = [
  // `pnpm test` has built the contracts, and its other parts are reading the output.
  ...(isBuilt ? [] : [["build", process.execPath, "scripts/build.ts"] as Check]),
  ["types: web routes", "apps/web/node_modules/.bin/next", "typegen", "apps/web"],
];
/** Checks that `pnpm test` leaves out. Its build compiles the sdk; the comments take a fifth of all checks. */
const checksAlone: Check[] = [
  types("sdk without Node", "packages/sdk/tsconfig.build.json", "--noEmit"),
  ["API documentation", "typedoc", "--emit", "none"],
];
const checksAfterBuild: Check[] = [
  types("contracts, scripts and apps", "."),
  types("packages", "packages"),
  ...(isBuilt ? [] : checksAlone),
  ["unused code", "knip"],
];

/** Checks that need only the sources. */
const lint: Check[] = [
  ["lint and format", "biome", "check", "--error-on-warnings", "."],
  ["format: Solidity", "prettier", "--check", "contracts/**/*.sol", "test/**/*.sol"],
  ["words", process.execPath, "scripts/checkWords.ts"],
  ["regular expressions", process.execPath, "scripts/checkExpressions.ts"],
  ["solhint", "solhint", "--max-warnings", "0", "contracts/**/*.sol", "test/**/*.sol"],
];

/**
 * `pnpm check`: types, lint, format, words, Solidity style and unused code. Runs every check and names each that fails.
 * `pnpm test` runs them in two parts: `--lint` before the builds, and `--built` after them.
 */
const checks = [...(isLint ? [] : checksAfterBuild), ...(isBuilt ? [] : lint)];

let failed = 0;

async function run([name, command, ...parameters]: Check): Promise<void> {
  const startedAt = Date.now();
  const { code, output } = await capture(command, parameters);
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1).padStart(6);
  console.log(`${code === 0 ? "ok  " : "FAIL"} ${seconds} s  ${name}`);
  if (code !== 0) {
    failed += 1;
    console.log(output);
  }
}

if (!isLint) for (const build of builds) await run(build);
// Run one check per core.
const lanes = Array.from({ length: Math.max(2, availableParallelism()) }, async () => {
  for (let check = checks.shift(); check; check = checks.shift()) await run(check);
});
await Promise.all(lanes);
process.exit(failed > 0 ? 1 : 0);
