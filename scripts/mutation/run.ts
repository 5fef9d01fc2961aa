import { createHash } from "node:crypto";
import fs from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { execa } from "execa";
import { rootDirectory } from "../stack/processes.ts";
import { type Fault, findFaults, type Node, nodesIn } from "./faults.ts";

/**
 * `pnpm mutate`: puts single faults into the contracts, a sample or those asked for. Exits with 1 when one survives the
 * behaviour tests and is not in equivalent.json, or is there and is killed. A stopped run goes on where it was.
 * `--only` takes an id or a file.
 */
const { values: options } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: {
    all: { type: "boolean" },
    only: { type: "string", multiple: true },
    count: { type: "string", default: "108" },
    workers: { type: "string", default: "2" },
  },
});

type Status = "killed" | "timed out" | "survived" | "uncompilable";
type Result = { id: string; status: Status; by?: string };

/** Milliseconds for each stage of a fault's tests, and bytes for its process. */
const [TIME_LIMIT, MEMORY_LIMIT] = [600_000, 3 * 2 ** 30];
/** Tests that do not take part: of scripts, of price and size, and of whole contracts beside twins for minutes. */
const EXCLUDED_TESTS = /^test\/(docs|scripts|deployment|gas|model|solidity\/(fuzz|invariants|twins))\//;
const PRICED_TEST = "test_budgetBoundsTheGasOfACall";
const EXCLUDED_SOURCES = /^contracts\/(interfaces|mocks|examples)\//;

const glob = (pattern: string) => fs.globSync(pattern, { cwd: rootDirectory }).sort();
const read = (path: string) => fs.readFileSync(join(rootDirectory, path), "utf8");
const hash = (text: string) => createHash("sha256").update(text).digest("hex");
const pathOf = (source: string) => source.replace("project/", "");
const placeOf = ({ member, source, line }: Fault) => `${member} (${pathOf(source)}:${line})`;
const changeOf = ({ original, replacement }: Fault) =>
  [original, replacement].map((text) => text.replaceAll(/\s+/g, " ").trim() || "(nothing)").join(" → ");

const tests = glob("test/**/*.{test.ts,t.sol}").filter((path) => !EXCLUDED_TESTS.test(path));
const solidityTests = tests.filter((path) => path.endsWith(".sol"));
const sources = glob("contracts/**/*.sol").filter((path) => !EXCLUDED_SOURCES.test(path));
const trees = parse([...sources, ...solidityTests]);
const faults = sources.flatMap((path) => findFaults(`project/${path}`, read(path), trees));
/** In no source: the contracts as they are must pass. */
const none: Fault = { ...(faults[0] as Fault), id: "none", source: "" };
const sourceOf = new Map(faults.map(({ id, source }) => [id, source]));
const equivalents: { id: string; reason: string }[] = JSON.parse(read("scripts/mutation/equivalent.json"));
const reasons = new Map(equivalents.map(({ id, reason }) => [id, reason]));

/** Results hold for these contracts and tests alone. */
const inputs = [...glob("{contracts,test}/**/*.{sol,ts}"), "scripts/mutation/hardhat.config.ts"];
const directory = join(rootDirectory, ".local/mutation", hash(inputs.map(read).join()).slice(0, 12));
fs.mkdirSync(directory, { recursive: true });
const resultFile = join(directory, "results.jsonl");
const lines = fs.readFileSync(resultFile, { encoding: "utf8", flag: "a+" }).split("\n").filter(Boolean);
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

async function hardhat(worker: string, fault: Fault, parameters: string[]) {
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
    const kibibytes = fs.existsSync(status) ? /VmRSS:\s+(\d+)/.exec(fs.readFileSync(status, "utf8"))?.[1] : 0;
    if (Number(kibibytes) * 1_024 > MEMORY_LIMIT) child.kill("SIGKILL");
  }, 250);
  const { exitCode, all } = await child.finally(() => clearInterval(watch));
  return { code: exitCode, output: String(all) };
}

/** Runs the tests that a fault can change, stage by stage, up to the first that fails, and keeps the result. */
async function tryFault(worker: string, fault: Fault): Promise<Result> {
  const [{ id, source }, report] = [fault, join(worker, "tests.json")];
  fs.rmSync(report, { force: true });
  // First the files that have killed other faults of the source.
  const killers = [...results.values()].filter((result) => sourceOf.get(result.id) === source);
  const kills = (file: string) => killers.filter(({ by }) => by?.startsWith(file)).length;
  const mocha = tests.filter((path) => path.endsWith(".ts")).sort((a, b) => kills(b) - kills(a));
  const solidity = solidityTests.filter((file) => uses(`project/${file}`, source));
  const stages = [
    ["test", "solidity", "--grep-exclude", PRICED_TEST, ...solidity],
    ["build", "--no-tests"],
    ["test", "mocha", "--no-compile", "--bail", ...mocha],
  ];
  let result: Result = { id, status: "survived" };
  for (const stage of stages.slice(solidity.length > 0 ? 0 : 1)) {
    const { code, output } = await hardhat(worker, fault, stage);
    if (code === 0) continue;
    const [failure] = fs.existsSync(report) ? JSON.parse(fs.readFileSync(report, "utf8")).failures : [];
    const by = failure ? `${failure.file.replace(rootDirectory, "")}: ${failure.fullTitle}` : solidity.join();
    const isBroken = /Compilation failed/.test(output);
    if (code === undefined) result = { id, status: "timed out" };
    else result = isBroken ? { id, status: "uncompilable" } : { id, status: "killed", by };
    break;
  }
  // What fails without a fault is tried again by the next run.
  if (id === none.id && result.status !== "survived") return result;
  results.set(id, result);
  fs.appendFileSync(resultFile, `${JSON.stringify(result)}\n`);
  return result;
}

const ruleNames = [...new Set(faults.map(({ rule }) => rule))].sort();

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

console.log(`${faults.length} faults; ${tests.length} test files take part`);
const workers = Array.from({ length: Number(options.workers) }, (_, at) => join(directory, `worker-${at}`));
const { status, by } = results.get(none.id) ?? (await tryFault(workers[0] as string, none));
if (status !== "survived") throw new Error(`Without a fault, the tests fail (${status}): ${by}`);

const chosen = chooseFaults();
const waiting = chosen.filter(({ id }) => !results.has(id)).sort((a, b) => (a.source < b.source ? -1 : 1));
async function work(worker: string): Promise<void> {
  for (let fault = waiting.shift(); fault; fault = waiting.shift()) {
    const { status, by = "" } = await tryFault(worker, fault);
    console.log(`${waiting.length} left: ${fault.id} ${status} ${placeOf(fault)} ${changeOf(fault)} ${by}`);
  }
}
await Promise.all(workers.map(work));

const tried = chosen.map(({ id }) => results.get(id)).filter((result) => result !== undefined);
const survivors = tried.filter(({ status }) => status === "survived");
for (const [status, found] of Map.groupBy(tried, (result) => result.status))
  console.log(status, found.length);

/** The list of equivalent faults must be true and complete. */
const isFalse = ({ id }: { id: string }) =>
  !sourceOf.has(id) || (results.get(id)?.status ?? "survived") !== "survived";
const wrong = [...equivalents.filter(isFalse), ...survivors.filter(({ id }) => !reasons.has(id))];
for (const { id } of wrong)
  console.log(id, reasons.has(id) ? "is listed, but is killed or gone" : "survives");
console.log(`${tried.length} tried, ${wrong.length} wrong`);
process.exitCode = wrong.length > 0 || tried.length === 0 ? 1 : 0;
