import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { rootDirectory } from "../stack/processes.ts";
import { prepare } from "./baseline.ts";
import { parse } from "./compiler.ts";
import { judge, readEquivalents } from "./equivalents.ts";
import { generateMutants, type Mutant } from "./generate.ts";
import { leftOutFiles, leftOutFolders, leftOutTests } from "./leftOut.ts";
import { orderTests } from "./order.ts";
import { describeProject, pathOf, readProject } from "./project.ts";
import { createReport, describeChange, formatTable } from "./report.ts";
import { type Result, Results } from "./results.ts";
import { orderBySample } from "./sample.ts";
import { tryMutants } from "./tryMutants.ts";
import { workDirectory } from "./workerProcess.ts";

/**
 * `pnpm mutate`: puts single faults into the contracts and ends with 1 when one of them, of those that are not listed
 * as equivalent, passes every behaviour test. A run that was stopped goes on where it was.
 */
const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: {
    /** Every fault that the rules find, and not a sample. */
    all: { type: "boolean", default: false },
    /** A mutant by its id, or those of a file. */
    only: { type: "string", multiple: true },
    /** How many of the sample are tried. */
    count: { type: "string", default: "108" },
    /** Writes the report that is committed beside this file. */
    update: { type: "boolean", default: false },
    workers: { type: "string", default: String(Math.min(2, availableParallelism())) },
  },
});

const SEED = 20_26;

const project = await readProject();
const trees = parse(project);
const parsed = describeProject(project, trees);
const mutants = generateMutants(parsed.mutable, { ...project, trees });
const equivalents = await readEquivalents();
const reasons = new Map(equivalents.map(({ id, reason }) => [id, reason]));

const isWanted = ({ id, source }: Mutant) =>
  !values.only || values.only.some((only) => only === id || pathOf(source).endsWith(only));
const isSample = !values.all && !values.only;
const order = orderBySample(mutants.filter(isWanted), SEED);
// Those that are listed as equivalent are always tried: one that can be killed must not stay on the list.
const listed = order.filter(({ id }) => reasons.has(id));
const tried = [...listed, ...order.filter(({ id }) => !reasons.has(id))];

const baseline = await prepare(parsed);
console.log(`${mutants.length} faults in ${parsed.mutable.length} files; compiled without the optimizer:`);
console.log(`  by the legacy code generator  ${baseline.pipelines.legacy.join(", ")}`);
console.log(`  by way of Yul (viaIR)         ${baseline.pipelines.ir.join(", ")}`);
console.log("Tests that take no part:");
for (const [name, reason] of Object.entries({ ...leftOutFiles, ...leftOutFolders, ...leftOutTests })) {
  console.log(`  ${name.padEnd(36)}${reason}`);
}

const startedAt = Date.now();
const results = await Results.read(join(workDirectory, "results.jsonl"), parsed, baseline.files);
const found = await tryMutants({
  mutants: tried,
  wanted: isSample ? Number(values.count) : tried.length,
  results,
  workers: Number(values.workers),
  orderTests: (mutant) => orderTests(mutant, parsed, baseline),
  secondsOf: (file) => baseline.seconds[file] ?? 0,
  onResult: printResult,
});

const report = createReport({ seed: SEED, mutants, results: found, equivalents: reasons });
console.log(`\n${formatTable(report)}\n`);
for (const { id, place, rule, change, equivalent } of report.survivors) {
  console.log(`${id}  ${rule} in ${place}\n  ${change}\n  ${equivalent ?? "SURVIVES"}`);
}
await mkdir(join(rootDirectory, "bench/results"), { recursive: true });
const text = `${JSON.stringify(report, null, 2)}\n`;
await writeFile(join(rootDirectory, "bench/results/mutation.json"), text);
if (values.update) await writeFile(fileURLToPath(new URL("report.json", import.meta.url)), text);

const faults = judge(equivalents, mutants, found);
for (const fault of faults) console.log(fault);
const { killed, timedOut, equivalent } = report.total;
const minutes = ((Date.now() - startedAt) / 60_000).toFixed(0);
console.log(
  `${killed + timedOut} killed, ${equivalent} equivalent, ${faults.length} wrong, in ${minutes} min`,
);
process.exit(faults.length > 0 || report.total.mutants === 0 ? 1 : 0);

function printResult(mutant: Mutant, { status, by, seconds }: Result, count: number): void {
  const place = `${pathOf(mutant.source)}:${mutant.line}`;
  console.log(`${String(count).padStart(4)}  ${status.padEnd(12)} ${mutant.id}  ${place}  ${mutant.rule}`);
  console.log(`      ${describeChange(mutant)}`);
  if (by) console.log(`      by ${by.file}: ${by.test}  (${seconds} s)`);
}
