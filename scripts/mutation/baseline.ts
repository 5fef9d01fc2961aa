import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TargetCode } from "./codeStore.ts";
import { CompileError, compile, type Pipeline, type Project, type Target } from "./compiler.ts";
import { hashSources, isTestSource, type ParsedProject } from "./project.ts";
import { instrument, type Reach, writeStatement } from "./reach.ts";
import { findTestFiles, hashTestFile } from "./testFiles.ts";
import type { Plan, PlannedTarget } from "./worker.ts";
import { WorkerProcess, workDirectory } from "./workerProcess.ts";

/** What the tests of a file do over contracts without faults. */
interface Check {
  /** Changes with the contracts and with the file. */
  key: string;
  seconds: number;
  failures: string[];
  reached: string[];
}

export interface Baseline {
  /** Test files that run the contracts. */
  files: string[];
  seconds: Record<string, number>;
  reach: Reach;
  pipelines: Record<Pipeline, string[]>;
}

/**
 * Compiles the contracts as they are and runs every behaviour test over them, for what each takes and reaches. What
 * has not changed since the last time is read from .local/mutation.
 * @throws When a test fails.
 */
export async function prepare(parsed: ParsedProject): Promise<Baseline> {
  await mkdir(join(workDirectory, "code"), { recursive: true });
  const targets: PlannedTarget[] = [];
  for (const { closure, ...target } of parsed.targets) {
    const compiled = await compileOnce(parsed.project, target, closure);
    targets.push({ ...target, ...compiled, closure: [...closure] });
  }
  const plan: Plan = { project: parsed.project, targets };
  await writeFile(join(workDirectory, "plan.json"), JSON.stringify(plan));
  const checks = await checkFiles(parsed);
  const files = Object.keys(checks).filter((file) => file.endsWith(".sol") || checks[file]?.reached.length);
  return {
    files,
    seconds: Object.fromEntries(Object.entries(checks).map(([file, { seconds }]) => [file, seconds])),
    reach: Object.fromEntries(Object.entries(checks).map(([file, { reached }]) => [file, reached])),
    pipelines: {
      legacy: targets.filter(({ pipeline }) => pipeline === "legacy").map(({ name }) => name),
      ir: targets.filter(({ pipeline }) => pipeline === "ir").map(({ name }) => name),
    },
  };
}

/** The legacy code generator where it can, and the other where the stack is too small for it. */
async function compileOnce(project: Project, target: Target, closure: Iterable<string>) {
  const file = join(workDirectory, "code", `${target.name}-${hashSources(project, closure)}.json`);
  const known = await readFile(file, "utf8").catch(() => undefined);
  if (known !== undefined) return JSON.parse(known) as Pick<PlannedTarget, "code" | "pipeline">;
  const sources = Object.fromEntries([...closure].map((name) => [name, project.sources[name] ?? ""]));
  const compiled = compileEither({ ...project, sources }, target);
  await writeFile(file, JSON.stringify(compiled));
  return compiled;
}

function compileEither(project: Project, target: Target): Pick<PlannedTarget, "code" | "pipeline"> {
  for (const pipeline of ["legacy", "ir"] as const) {
    try {
      const [code] = compile(project, [target], pipeline);
      if (code) return { code, pipeline };
    } catch (error) {
      if (pipeline === "ir" || !(error instanceof CompileError && error.isStackTooDeep)) throw error;
    }
  }
  throw new Error(`${target.name} was not compiled`);
}

async function checkFiles(parsed: ParsedProject): Promise<Record<string, Check>> {
  const record = join(workDirectory, "checks.json");
  const known = JSON.parse(await readFile(record, "utf8").catch(() => "{}")) as Record<string, Check>;
  const contracts = parsed.targets.filter(({ source }) => !isTestSource(source));
  const hash = hashSources(parsed.project, new Set(contracts.flatMap(({ closure }) => [...closure])));
  const checks: Record<string, Check> = {};
  const stale: { file: string; key: string }[] = [];
  for (const file of findTestFiles()) {
    const key = `${hash}-${await hashTestFile(file)}`;
    const check = known[file];
    if (check?.key === key && check.failures.length === 0) checks[file] = check;
    else stale.push({ file, key });
  }
  if (stale.length === 0) return checks;

  console.log(`Running ${stale.length} test files over the contracts without faults …`);
  const plain = await WorkerProcess.start("worker-1", () => 0);
  const reporting = await WorkerProcess.start("worker-reach", () => 0);
  const { codes, statements } = await compileReporting(parsed);
  for (const { file, key } of stale) {
    const { seconds, failures } = await plain.perform({ kind: "check", file }, "checked");
    let reached: string[] = [];
    if (!file.endsWith(".sol")) {
      const { tags } = await reporting.perform({ kind: "reach", file, targets: codes }, "reached");
      reached = tags.flatMap((tag) => statements.get(tag) ?? []).map(writeStatement);
    }
    checks[file] = { key, seconds, failures, reached };
    await writeFile(record, JSON.stringify({ ...known, ...checks }));
    for (const test of failures) console.log(`  fails without a fault: ${file}: ${test}`);
  }
  await Promise.all([plain.stop(), reporting.stop()]);
  if (Object.values(checks).some(({ failures }) => failures.length > 0)) {
    throw new Error("Tests fail over contracts without faults");
  }
  return checks;
}

async function compileReporting({ project, mutable, targets }: ParsedProject) {
  const { project: reporting, statements, library } = instrument(project, mutable);
  const codes: TargetCode[] = [];
  for (const { closure, ...target } of targets) {
    if (isTestSource(target.source)) continue;
    const { code } = await compileOnce(reporting, target, [...closure, library]);
    codes.push({ ...target, code });
  }
  return { codes, statements };
}
