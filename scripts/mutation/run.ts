import { createHash } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { execa } from "execa";
import { leftOut } from "../contract-coverage/coverBehaviour.ts";
import { rootDirectory } from "../stack/processes.ts";
import { type Fault, findFaults, type Node, nodesIn } from "./faults.ts";

/**
 * `pnpm mutate`: puts single faults into the contracts, a sample or those asked for. Exits with 1 when one survives the
 * behaviour tests and is not in equivalent.json, or is there and is killed. A stopped run goes on where it was.
 * `--only` takes an id or a file, and `--update` writes report.json.
 */
const { values: options } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: {
    all: { type: "boolean" },
    only: { type: "string", multiple: true },
    count: { type: "string", default: "108" },
    update: { type: "boolean" },
    workers: { type: "string", default: "2" },
  },
});

type Status = "killed" | "timed out" | "survived" | "uncompilable";
type Result = { id: string; status: Status; by?: string };
export type Tally = Record<"mutants" | "killed" | "timedOut" | "equivalent" | "survived", number>;
export interface Report {
  /** Faults that the rules find. */
  generated: number;
  total: Tally;
  byRule: Record<string, Tally>;
  survivors: { id: string; place: string; rule: string; change: string; equivalent: string | null }[];
}

/** Milliseconds for each stage of a fault's tests, and bytes for its process. */
const [TIME_LIMIT, MEMORY_LIMIT] = [600_000, 3 * 2 ** 30];
/** Tests that do not take part: of scripts, of price and size, and of whole contracts beside twins for minutes. */
const EXCLUDED_TESTS = /^test\/(docs|scripts|deployment|solidity\/(fuzz|invariants|twins))\//;
const [BUILD, MOCHA] = [
  ["build", "--no-tests"],
  ["test", "mocha", "--no-compile"],
];
const PRICED_TEST = "test_budgetBoundsTheGasOfACall";
const EXCLUDED_SOURCES = /^contracts\/(interfaces|mocks|examples)\//;

const glob = (pattern: string) => globSync(pattern, { cwd: rootDirectory }).sort();
const read = (path: string) => readFileSync(join(rootDirectory, path), "utf8");
const hash = (text: string) => createHash("sha256").update(text).digest("hex");
const pathOf = (source: string) => source.replace("project/", "");
const placeOf = ({ member, source, line }: Fault) => `${member} (${pathOf(source)}:${line})`;
const changeOf = ({ original, replacement }: Fault) =>
  [original, replacement].map((text) => text.replaceAll(/\s+/g, " ").trim() || "(nothing)").join(" → ");

const tests = glob("test/**/*.{test.ts,t.sol}").filter(
  (path) => !EXCLUDED_TESTS.test(path) && !(path in leftOut),
);
const mochaTests = tests.filter((path) => path.endsWith(".ts"));
const solidityTests = tests.filter((path) => path.endsWith(".sol"));
const sources = glob("contracts/**/*.sol").filter((path) => !EXCLUDED_SOURCES.test(path));
const trees = parse([...sources, ...solidityTests]);
const faults = sources.flatMap((path) => findFaults(`project/${path}`, read(path), trees));
const ruleNames = [...new Set(faults.map(({ rule }) => rule))].sort();
const byId = new Map(faults.map((fault) => [fault.id, fault]));
const equivalents: { id: string; reason: string }[] = JSON.parse(read("scripts/mutation/equivalent.json"));
const reasons = new Map(equivalents.map(({ id, reason }) => [id, reason]));

/** Results hold for these contracts and tests alone. */
const inputs = [...glob("{contracts,test}/**/*.{sol,ts}"), "scripts/mutation/hardhat.config.ts"];
const directory = join(rootDirectory, ".local/mutation", hash(inputs.map(read).join()).slice(0, 12));
const reportFile = join(rootDirectory, "scripts/mutation/report.json");
const [resultFile, passedFile] = [join(directory, "results.jsonl"), join(directory, "passed")];
const lines = existsSync(resultFile) ? readFileSync(resultFile, "utf8").trim().split("\n") : [];
const results = new Map(lines.map((line) => JSON.parse(line) as Result).map((result) => [result.id, result]));

function parse(paths: string[]): Record<string, Node> {
  const nameOf = (name: string) => (name.startsWith("project/") ? pathOf(name) : `node_modules/${name}`);
  const content = Object.fromEntries(paths.map((path) => [`project/${path}`, { content: read(path) }]));
  const settings = { outputSelection: { "*": { "": ["ast"] } } };
  const input = JSON.stringify({ language: "Solidity", sources: content, settings });
  const solc = createRequire(import.meta.url)("solc");
  const output = solc.compile(input, { import: (name: string) => ({ contents: read(nameOf(name)) }) });
  const trees = Object.entries<{ ast: Node }>(JSON.parse(output).sources);
  return Object.fromEntries(trees.map(([name, { ast }]) => [name, ast]));
}

/** Whether a source is another one, or imports it. */
function uses(source: string, other: string): boolean {
  const imports = nodesIn(trees[source]?.nodes).filter(({ nodeType }) => nodeType === "ImportDirective");
  return source === other || imports.some(({ absolutePath }) => uses(String(absolutePath), other));
}

async function hardhat(worker: string, fault: Fault | null, parameters: string[]) {
  // Not by its shell script in node_modules/.bin, which would be measured and ended in its place.
  const child = execa("node_modules/hardhat/dist/src/cli.js", parameters, {
    ...{ cwd: rootDirectory, node: true, reject: false, all: true, timeout: TIME_LIMIT },
    env: {
      HARDHAT_CONFIG: "scripts/mutation/hardhat.config.ts",
      MUTATION_DIRECTORY: worker,
      MUTATION_FAULT: JSON.stringify(fault),
    },
  });
  // A fault can make the EVM allocate without end, outside of JavaScript's heap. Only Linux tells how much.
  const watch = setInterval(() => {
    const status = `/proc/${child.pid}/status`;
    const kibibytes = existsSync(status) ? /VmRSS:\s+(\d+)/.exec(readFileSync(status, "utf8"))?.[1] : 0;
    if (Number(kibibytes) * 1_024 > MEMORY_LIMIT) child.kill("SIGKILL");
  }, 250);
  const { exitCode, all } = await child.finally(() => clearInterval(watch));
  return { code: exitCode, output: String(all) };
}

/** Runs the tests that a fault can change, stage by stage, up to the first that fails. */
async function tryFault(worker: string, fault: Fault): Promise<Result> {
  const [{ id, source }, report] = [fault, join(worker, "tests.json")];
  rmSync(report, { force: true });
  const killers = [...results.values()].filter((result) => byId.get(result.id)?.source === source);
  // First the files that have killed other faults of the source.
  const kills = (file: string) => killers.filter(({ by }) => by?.startsWith(file)).length;
  const solidity = solidityTests.filter((file) => uses(`project/${file}`, source));
  const stages = [
    ["test", "solidity", "--grep-exclude", PRICED_TEST, ...solidity],
    BUILD,
    [...MOCHA, "--bail", ...mochaTests.toSorted((a, b) => kills(b) - kills(a))],
  ];
  for (const stage of stages.slice(solidity.length > 0 ? 0 : 1)) {
    const { code, output } = await hardhat(worker, fault, stage);
    if (code === undefined) return { id, status: "timed out" };
    if (/Compilation failed/.test(output)) return { id, status: "uncompilable" };
    if (code === 0) continue;
    const [failure] = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")).failures : [];
    const by = failure ? `${failure.file.replace(rootDirectory, "")}: ${failure.fullTitle}` : solidity.join();
    return { id, status: "killed", by };
  }
  return { id, status: "survived" };
}

/** A sample takes faults of each rule in turn, and all that are listed as equivalent. */
function chooseFaults(): Fault[] {
  const { all, only, count } = options;
  const shuffled = faults.toSorted((a, b) => (hash(a.id) < hash(b.id) ? -1 : 1));
  if (all) return shuffled;
  if (only)
    return shuffled.filter(({ id, source }) => only.some((name) => id === name || source.endsWith(name)));
  const turns = ruleNames.map((name) => shuffled.filter(({ rule }) => rule === name));
  const inTurn = shuffled.flatMap((_, turn) => turns.flatMap((list) => list[turn] ?? []));
  return inTurn.filter(({ id }, index) => index < Number(count) || reasons.has(id));
}

function tally(rule?: string): Tally {
  const tried = chosen
    .filter((fault) => (rule ?? fault.rule) === fault.rule)
    .map(({ id }) => results.get(id));
  const count = (status: Status) => tried.filter((result) => result?.status === status).length;
  const equivalent = tried.filter((result) => result?.status === "survived" && reasons.has(result.id)).length;
  const [killed, timedOut, survived] = [count("killed"), count("timed out"), count("survived") - equivalent];
  return { mutants: killed + timedOut + equivalent + survived, killed, timedOut, equivalent, survived };
}

mkdirSync(directory, { recursive: true });
console.log(`${faults.length} faults; ${tests.length} test files take part`);
const checks = [BUILD, [...MOCHA, ...mochaTests]];
for (const stage of existsSync(passedFile) ? [] : checks) {
  const { code, output } = await hardhat(join(directory, "worker-0"), null, stage);
  if (code !== 0) throw new Error(`Without a fault, ${stage.slice(0, 2)} fails: ${output.slice(-3_000)}`);
}
writeFileSync(passedFile, "");

const chosen = chooseFaults();
const waiting = chosen.filter(({ id }) => !results.has(id)).sort((a, b) => (a.source < b.source ? -1 : 1));
async function work(worker: string): Promise<void> {
  for (let fault = waiting.shift(); fault; fault = waiting.shift()) {
    const result = await tryFault(worker, fault);
    results.set(fault.id, result);
    appendFileSync(resultFile, `${JSON.stringify(result)}\n`);
    const { status, by = "" } = result;
    console.log(`${waiting.length} left: ${fault.id} ${status} ${placeOf(fault)} ${changeOf(fault)} ${by}`);
  }
}
await Promise.all(
  Array.from({ length: Number(options.workers) }, (_, at) => work(join(directory, `worker-${at}`))),
);

const survivors = chosen
  .filter(({ id }) => results.get(id)?.status === "survived")
  .map((fault) => ({ id: fault.id, place: placeOf(fault), rule: fault.rule, change: changeOf(fault) }))
  .map((survivor) => ({ ...survivor, equivalent: reasons.get(survivor.id) ?? null }));
const byRule = Object.fromEntries(ruleNames.map((name) => [name, tally(name)]));
const report: Report = { generated: faults.length, total: tally(), byRule, survivors };
console.table({ ...byRule, all: report.total });
if (options.update) writeFileSync(reportFile, `${JSON.stringify(report, null, 2)}\n`);

/** The list of equivalent faults must be true and complete. */
const isKilled = ({ id }: { id: string }) => (results.get(id)?.status ?? "survived") !== "survived";
const isFalse = (listed: { id: string }) => !byId.has(listed.id) || isKilled(listed);
const wrong = [...equivalents.filter(isFalse), ...survivors.filter(({ equivalent }) => !equivalent)];
for (const { id } of wrong)
  console.log(id, reasons.has(id) ? "is listed, but is killed or gone" : "survives");
console.log(`${report.total.mutants} tried, ${wrong.length} wrong`);
process.exitCode = wrong.length > 0 || report.total.mutants === 0 ? 1 : 0;
