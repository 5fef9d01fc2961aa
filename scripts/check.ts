import { capture } from "./stack/processes.ts";

/** `pnpm check`: types, lint, format, Solidity style and unused code. Runs every check and names each that fails. */
const checks: [name: string, command: string, ...parameters: string[]][] = [
  ["build", process.execPath, "scripts/build.ts"],
  ["types: contracts and scripts", "tsc", "-p", "."],
  ["types: packages", "tsc", "-p", "packages"],
  ["types: sdk without Node", "tsc", "-p", "packages/sdk/tsconfig.build.json", "--noEmit"],
  ["types: indexer", "tsc", "-p", "apps/indexer"],
  ["types: web routes", "npx", "--no-install", "--prefix", "apps/web", "next", "typegen", "apps/web"],
  ["types: web", "tsc", "-p", "apps/web"],
  ["API documentation", "typedoc", "--emit", "none"],
  ["lint and format", "biome", "check", "--error-on-warnings", "."],
  ["format: Solidity", "prettier", "--check", "contracts/**/*.sol", "test/**/*.sol"],
  ["solhint", "solhint", "--max-warnings", "0", "contracts/**/*.sol", "test/**/*.sol"],
  ["unused code", "knip"],
];

let failed = 0;
for (const [name, command, ...parameters] of checks) {
  const startedAt = Date.now();
  const { code, output } = await capture(command, parameters);
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1).padStart(6);
  console.log(`${code === 0 ? "ok  " : "FAIL"} ${seconds} s  ${name}`);
  if (code !== 0) {
    failed += 1;
    console.log(output);
  }
}
process.exit(failed > 0 ? 1 : 0);
