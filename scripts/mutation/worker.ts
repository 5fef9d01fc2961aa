import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import hre from "hardhat";
import { CodeStore, type TargetCode } from "./codeStore.ts";
import { CompileError, compile, type Pipeline, type Project, type Target } from "./compiler.ts";
import { applyMutant, type Mutant } from "./generate.ts";
import { isTestSource, sourceOf } from "./project.ts";
import { runTestFile } from "./testRun.ts";

/** A contract without faults, as the tests of `pnpm mutate` run it. */
export interface PlannedTarget extends TargetCode {
  closure: string[];
  pipeline: Pipeline;
}

/** What every worker starts from, in a file. */
export interface Plan {
  project: Project;
  targets: PlannedTarget[];
}

export type Task =
  /** Runs each test of a file over contracts without faults. */
  | { kind: "check"; file: string }
  /** The same over contracts that report each statement. A process that has done this does nothing else. */
  | { kind: "reach"; file: string; targets: TargetCode[] }
  /** Runs test files over contracts with a fault, up to the first failure. */
  | { kind: "mutant"; mutant: Mutant; files: string[] };

export interface Outcome {
  status: "killed" | "survived" | "uncompilable";
  /** The test that failed. */
  by?: { file: string; test: string };
  compileSeconds: number;
}

export type Message =
  | { kind: "ready" }
  | { kind: "checked"; failures: string[]; seconds: number }
  | { kind: "reached"; tags: string[] }
  /** A test file starts. */
  | { kind: "step"; file: string }
  | { kind: "outcome"; outcome: Outcome };

const directory = resolve(process.env.MUTATION_WORKER ?? "");
const plan = JSON.parse(await readFile(join(directory, "../plan.json"), "utf8")) as Plan;
const store = new CodeStore(join(directory, "artifacts"));

const send = (message: Message) => process.send?.(message);

async function check(file: string): Promise<void> {
  const startedAt = performance.now();
  const failures = await runTestFile(file, true);
  send({ kind: "checked", failures, seconds: (performance.now() - startedAt) / 1_000 });
}

let tags: Set<string> | undefined;

async function reach(file: string, targets: TargetCode[]): Promise<void> {
  if (tags === undefined) {
    // That there is a handler turns reporting on, for every chain that is created from now on.
    hre.hooks.registerHandlers("network", {
      onCoverageData: async (_context, data) => {
        for (const tag of data) tags?.add(tag);
      },
    });
    await store.store(targets);
  }
  tags = new Set();
  await runTestFile(file, true);
  send({ kind: "reached", tags: [...tags] });
}

/** Compiles what a test file needs of a mutant, each contract once. */
class MutantBuild {
  readonly #project: Project;
  readonly #waiting: Set<PlannedTarget>;
  readonly changed: PlannedTarget[];
  seconds = 0;

  constructor(mutant: Mutant) {
    this.#project = { ...plan.project, sources: applyMutant(plan.project.sources, mutant) };
    this.changed = plan.targets.filter(({ closure }) => closure.includes(mutant.source));
    this.#waiting = new Set(this.changed);
  }

  /** @throws {CompileError} */
  async buildFor(file: string): Promise<void> {
    const startedAt = performance.now();
    for (const target of this.#waiting) {
      const isNeeded = file.endsWith(".sol")
        ? target.source === sourceOf(file)
        : !isTestSource(target.source);
      if (!isNeeded) continue;
      await store.store([{ ...target, code: this.#compile(target) }]);
      this.#waiting.delete(target);
    }
    this.seconds += (performance.now() - startedAt) / 1_000;
  }

  #compile(target: PlannedTarget) {
    const project = { ...this.#project, sources: pick(this.#project, target.closure) };
    try {
      return compileOne(project, target, target.pipeline);
    } catch (error) {
      if (!(error instanceof CompileError && error.isStackTooDeep)) throw error;
      return compileOne(project, target, "ir");
    }
  }
}

function pick({ sources }: Project, names: string[]) {
  return Object.fromEntries(names.map((name) => [name, sources[name] ?? ""]));
}

function compileOne(project: Project, target: Target, pipeline: Pipeline) {
  const [code] = compile(project, [target], pipeline);
  if (!code) throw new Error(`${target.name} was not compiled`);
  return code;
}

async function tryMutant(mutant: Mutant, files: string[]): Promise<Outcome> {
  const build = new MutantBuild(mutant);
  try {
    for (const file of files) {
      send({ kind: "step", file });
      await build.buildFor(file);
      const [test] = await runTestFile(file, false);
      if (test !== undefined) {
        return { status: "killed", by: { file, test }, compileSeconds: build.seconds };
      }
    }
    return { status: "survived", compileSeconds: build.seconds };
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    return { status: "uncompilable", compileSeconds: build.seconds };
  } finally {
    await store.store(build.changed);
  }
}

async function perform(task: Task): Promise<void> {
  if (task.kind === "check") await check(task.file);
  else if (task.kind === "reach") await reach(task.file, task.targets);
  else send({ kind: "outcome", outcome: await tryMutant(task.mutant, task.files) });
}

// What a test left behind may fail after its end; the tests that ran have told what they found.
process.on("unhandledRejection", () => undefined);
process.on("uncaughtException", () => undefined);
process.on("disconnect", () => process.exit());
process.on("message", (task: Task) => {
  perform(task).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});

await store.create(plan.targets);
send({ kind: "ready" });
