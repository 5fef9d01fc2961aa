import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs, stripVTControlCharacters } from "node:util";
import startServers from "@app-registry/test-kit/servers";
import { rootDirectory, secondsSince } from "../stack/processes.ts";
import { addCounts, formatCounts } from "./counts.ts";
import {
  browser,
  check,
  contractBuild,
  contracts,
  coverage,
  fuzz,
  lint,
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

// The suites start the same programs hundreds of times. Share their compiled modules here.
process.env.NODE_COMPILE_CACHE ??= join(rootDirectory, ".local/compile-cache");
// The chain records every step of a call. Stop its allocator (mimalloc) from returning and clearing that memory each
// time.
process.env.MIMALLOC_PURGE_DELAY ??= "-1";

/** Two parts per core and one more, because most parts mostly wait. */
const MAX_PARALLEL = 2 * availableParallelism() + 1;
const environment = { CI: "true", TEST_LONG: values.long ? "true" : "" };

/** Jobs, in the order in which they start: what others need, then what waits longest for clocks, blocks and pages. */
const parts: TestJob[] = [
  contractBuild,
  ...(values.check ? [lint] : []),
  webBuild,
  ...(values.long ? [coverage] : []),
  browser,
  vitest("indexer", "apps/indexer"),
  vitest("issuer", "packages/issuer"),
  vitest("mcp", "packages/mcp"),
  vitest("web", "apps/web", webBuild.name),
  contracts,
  vitest("cli", "packages/cli", contractBuild.name),
  vitest("outbound", "packages/outbound"),
  fuzz,
  ...(values.check ? [check] : []),
  vitest("sdk", "packages/sdk", contractBuild.name),
  vitest("index", "packages/index"),
  vitest("server", "packages/server"),
];

/** Returns the selected parts and the builds that they need. */
function selectJobs(): TestJob[] {
  const wanted = new Set(values.only ?? parts.map(({ name }) => name));
  for (const { name, needs = [] } of parts.toReversed())
    if (wanted.has(name)) for (const build of needs) wanted.add(build);
  return parts.filter(({ name }) => wanted.has(name));
}

type Outcome = Awaited<ReturnType<typeof measure>>;

async function measure(part: TestJob) {
  console.log(`…       ${part.name}`);
  const startedAt = Date.now();
  const { ok, output, counts } = await part.run(environment);
  const outcome = counts ? formatCounts(counts) : "done";
  console.log(`${ok ? "ok  " : "FAIL"}    ${part.name.padEnd(16)} ${secondsSince(startedAt)}   ${outcome}`);
  // Print a short form here and the full output at the end, because a log may be truncated at either side.
  if (!ok) console.log(failures(output, 50));
  return { name: part.name, ok, output, counts };
}

/** Runs parts in parallel, each as soon as a place is free and its builds have finished. */
function measureAll(waiting: TestJob[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const built = new Set<string>();
  let running = 0;
  return new Promise((resolve, reject) => {
    const canStart = ({ needs = [] }: TestJob) =>
      running < MAX_PARALLEL && needs.every((build) => built.has(build));
    const startNext = () => {
      for (let part = waiting.find(canStart); part; part = waiting.find(canStart)) {
        waiting.splice(waiting.indexOf(part), 1);
        running += 1;
        measure(part).then((outcome) => {
          running -= 1;
          outcomes.push(outcome);
          if (outcome.ok) built.add(outcome.name);
          startNext();
        }, reject);
      }
      if (running === 0) resolve(outcomes);
    };
    startNext();
  });
}

/** Returns the last lines of a failed part's output without passed tests. Every runner prints its failures last. */
function failures(output: string, count: number): string {
  const lines = output.split("\n").filter((line) => !/^\s*[✓✔]/.test(stripVTControlCharacters(line)));
  return lines.slice(-count).join("\n");
}

const startedAt = Date.now();
const stopServers = await startServers();
const outcomes = await measureAll(selectJobs()).finally(stopServers);
console.log(`        ${"all parts".padEnd(16)} ${secondsSince(startedAt)}`);
for (const { name, ok, output } of outcomes)
  if (!ok) console.log(`FAIL    ${name}\n${failures(output, 300)}`);

const sum = addCounts(outcomes.flatMap(({ counts }) => counts ?? []));
console.log(formatCounts(sum));
process.exit(sum.failed > 0 || sum.passed === 0 ? 1 : 0);
