import { parseArgs, stripVTControlCharacters } from "node:util";
import { addCounts, formatCounts } from "./counts.ts";
import { browser, contractBuild, contracts, type Part, type PartResult, vitest, webBuild } from "./parts.ts";

/**
 * `pnpm test`: the tests of every part, in two lanes side by side. `--long` runs the same suites at full counts,
 * `--only <part>` (repeatable) a part alone.
 */
const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: { long: { type: "boolean", default: false }, only: { type: "string", multiple: true } },
});

interface Outcome extends PartResult {
  name: string;
  seconds: number;
}

const environment = { CI: "true", TEST_LONG: values.long ? "true" : "" };
const lanes: Part[][] = [
  [
    contracts,
    vitest("sdk", "packages/sdk"),
    vitest("outbound", "packages/outbound"),
    vitest("issuer", "packages/issuer"),
    vitest("cli", "packages/cli"),
    vitest("indexer", "apps/indexer"),
  ],
  [webBuild, vitest("web", "apps/web"), browser],
];

/** Of a failed part's output: every runner tells its failures at the end. */
const LAST_LINES = 300;

/** What a failed part said, without the tests that passed. */
function failures(output: string): string {
  const lines = output.split("\n").filter((line) => !/^\s*[✓✔]/.test(stripVTControlCharacters(line)));
  return lines.slice(-LAST_LINES).join("\n");
}

async function measure(part: Part): Promise<Outcome> {
  console.log(`…       ${part.name}`);
  const startedAt = Date.now();
  const result = await part.run(environment);
  const outcome = { ...result, name: part.name, seconds: (Date.now() - startedAt) / 1_000 };
  const counts = result.counts ? formatCounts(result.counts) : result.ok ? "done" : "failed";
  console.log(
    `${outcome.ok ? "ok  " : "FAIL"}    ${part.name.padEnd(16)} ${outcome.seconds.toFixed(0).padStart(4)} s   ${counts}`,
  );
  if (!outcome.ok) console.log(failures(outcome.output));
  return outcome;
}

async function measureLane(parts: Part[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const part of parts.filter(isWanted)) outcomes.push(await measure(part));
  return outcomes;
}

function isWanted({ name }: Part): boolean {
  const needsWeb = name === "build web" && values.only?.some((part) => part === "web" || part === "browser");
  return !values.only || values.only.includes(name) || needsWeb === true;
}

function printShares(outcomes: Outcome[], wallSeconds: number): void {
  const total = outcomes.reduce((sum, { seconds }) => sum + seconds, 0);
  console.log("\npart              seconds   share");
  for (const { name, seconds } of outcomes) {
    const share = ((100 * seconds) / total).toFixed(0);
    console.log(`${name.padEnd(18)}${seconds.toFixed(0).padStart(7)}${share.padStart(7)} %`);
  }
  console.log(`${"wall clock".padEnd(18)}${wallSeconds.toFixed(0).padStart(7)}\n`);
}

const startedAt = Date.now();
const outcomes = [await measure(contractBuild)];
if (outcomes.every(({ ok }) => ok)) outcomes.push(...(await Promise.all(lanes.map(measureLane))).flat());
printShares(outcomes, (Date.now() - startedAt) / 1_000);

const brokenBuilds = outcomes.filter(({ ok, counts }) => !ok && !counts).length;
const sum = addCounts(outcomes.flatMap(({ counts }) => counts ?? []));
sum.failed += brokenBuilds;
console.log(formatCounts(sum));
process.exit(sum.failed > 0 || sum.passed === 0 ? 1 : 0);
