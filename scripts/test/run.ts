import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs, stripVTControlCharacters } from "node:util";
import startServers from "@app-registry/test-kit/servers";
import { rootDirectory } from "../stack/processes.ts";
import { addCounts, formatCounts } from "./counts.ts";
import {
  browser,
  check,
  contractBuild,
  contracts,
  coverage,
  fuzz,
  lint,
  operate,
  type PartResult,
  type TestJob,
  vitest,
  webBuild,
} from "./parts.ts";

/**
 * `pnpm test`: Runs the tests of every part, several parts at once. `--long` runs all suites at full counts and the
 * slow suites, `--only <part>` (repeatable) runs only some parts, and `--check` adds the linters.
 */
const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: {
    long: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
    only: { type: "string", multiple: true },
  },
});

interface Outcome extends PartResult {
  name: string;
  seconds: number;
}

// The suites start the same programs hundreds of times. Share their compiled modules here.
process.env.NODE_COMPILE_CACHE ??= join(rootDirectory, ".local/compile-cache");
// The chain records every step of a call. Stop its allocator (mimalloc) from returning and clearing that memory each
// time.
process.env.MIMALLOC_PURGE_DELAY ??= "-1";

/** Lanes: two per core, because tests also wait for clocks, blocks and pages. A build occupies two. */
const MAX_PARALLEL = 2 * availableParallelism();
const environment = { CI: "true", TEST_LONG: values.long ? "true" : "" };

/** Jobs, slowest first, so that the lanes end together. */
const parts: TestJob[] = [
  contractBuild,
  ...(values.check ? [lint] : []),
  webBuild,
  ...(values.long ? [operate, coverage] : []),
  browser,
  vitest("indexer", "apps/indexer"),
  contracts,
  vitest("web", "apps/web", webBuild.name),
  vitest("cli", "packages/cli"),
  vitest("mcp", "packages/mcp"),
  vitest("issuer", "packages/issuer"),
  fuzz,
  ...(values.check ? [check] : []),
  vitest("outbound", "packages/outbound"),
  vitest("sdk", "packages/sdk"),
  vitest("server", "packages/server"),
];

/** Returns the selected parts and the builds that they need. */
function selectJobs(): TestJob[] {
  const wanted = new Set(values.only ?? parts.map(({ name }) => name));
  for (const { name, needs } of parts.toReversed()) if (needs && wanted.has(name)) wanted.add(needs);
  return parts.filter(({ name }) => wanted.has(name));
}

async function measure(part: TestJob): Promise<Outcome> {
  console.log(`…       ${part.name}`);
  const startedAt = Date.now();
  const result = await part.run(environment);
  const outcome = { ...result, name: part.name, seconds: (Date.now() - startedAt) / 1_000 };
  const counts = result.counts ? formatCounts(result.counts) : result.ok ? "done" : "failed";
  console.log(
    `${outcome.ok ? "ok  " : "FAIL"}    ${part.name.padEnd(16)} ${outcome.seconds.toFixed(0).padStart(4)} s   ${counts}`,
  );
  // Print a short form here and the full output at the end, because a log may be truncated at either side.
  if (!outcome.ok) console.log(failures(outcome.output, 50));
  return outcome;
}

/** Runs parts in parallel, each as soon as its lanes are free and its build has finished. */
function measureAll(waiting: TestJob[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const built = new Set<string>();
  let taken = 0;
  return new Promise((resolve, reject) => {
    const canStart = ({ needs, lanes = 1 }: TestJob) =>
      (!needs || built.has(needs)) && taken + lanes <= MAX_PARALLEL;
    const startNext = () => {
      for (let part = waiting.find(canStart); part; part = waiting.find(canStart)) {
        const { lanes = 1 } = part;
        waiting.splice(waiting.indexOf(part), 1);
        taken += lanes;
        measure(part).then((outcome) => {
          taken -= lanes;
          outcomes.push(outcome);
          if (outcome.ok) built.add(outcome.name);
          startNext();
        }, reject);
      }
      if (taken === 0) resolve(outcomes);
    };
    startNext();
  });
}

/** Returns the last lines of a failed part's output without passed tests. Every runner prints its failures last. */
function failures(output: string, count: number): string {
  const lines = output.split("\n").filter((line) => !/^\s*[✓✔]/.test(stripVTControlCharacters(line)));
  return lines.slice(-count).join("\n");
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
const stopServers = await startServers();
const outcomes = await measureAll(selectJobs()).finally(stopServers);
printShares(outcomes, (Date.now() - startedAt) / 1_000);
for (const { name, ok, output } of outcomes)
  if (!ok) console.log(`FAIL    ${name}\n${failures(output, 300)}`);

const brokenBuilds = outcomes.filter(({ ok, counts }) => !ok && !counts).length;
const sum = addCounts(outcomes.flatMap(({ counts }) => counts ?? []));
sum.failed += brokenBuilds;
console.log(formatCounts(sum));
process.exit(sum.failed > 0 || sum.passed === 0 ? 1 : 0);
