import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs, parseEnv } from "node:util";
import { execa } from "execa";
import { rootDirectory } from "./stack/processes.ts";
import { type ProcessSpec, partNames, readParts, type StartInput } from "./supervisor/parts.ts";

const usage = `pnpm start [--env-file registry.env] [--check] [${partNames.join("|")} ...]

Starts the registry as it was built (pnpm build), or the named parts of it. Settings come from the file, and from the
environment, which goes first; docs/configuration.md lists them.

  --env-file   the file of settings; default registry.env
  --check      names every wrong setting, and starts nothing
`;

const { values, positionals } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  allowPositionals: true,
  options: {
    "env-file": { type: "string" },
    check: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});

/** The settings of a file under those of the environment; paths in the file are relative to it. */
function readVariables(): StartInput & { file?: string } {
  const file = resolve(values["env-file"] ?? join(rootDirectory, "registry.env"));
  const isMissing = values["env-file"] === undefined && !existsSync(file);
  if (isMissing) return { variables: process.env, inFile: [], directory: rootDirectory };
  const given = parseEnv(readFileSync(file, "utf8"));
  const variables = { ...given, ...process.env };
  return { file, variables, inFile: Object.keys(given), directory: dirname(file) };
}

/** Milliseconds before a part that ended is started again, and for one that was asked to end. */
const RESTART_AFTER = 2_000;
const SHUTDOWN = 60_000;

/** Runs a process until it ends by itself or is asked to. Beside others, its name goes before its lines. */
async function runOnce(
  { name, command, directory, environment }: ProcessSpec,
  stop: AbortSignal,
  isAlone: boolean,
) {
  const [program = "", ...parameters] = command;
  const named = function* (line: unknown) {
    yield `[${name}] ${line}`;
  };
  const output = isAlone ? ("inherit" as const) : ([named, "inherit"] as const);
  const { exitCode, signal } = await execa(program, parameters, {
    ...{ cwd: directory ?? rootDirectory, env: environment, extendEnv: false, reject: false, buffer: false },
    ...{ stdin: "ignore", stdout: output, stderr: output },
    ...{ cancelSignal: stop, forceKillAfterDelay: SHUTDOWN },
  });
  return { code: exitCode ?? 1, how: signal ?? `code ${exitCode}` };
}

/** One part lives and dies with this process; of several, one that ends is started again. */
async function run(parts: readonly ProcessSpec[]): Promise<number> {
  const stopped = new AbortController();
  const { signal: stop } = stopped;
  for (const name of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(name, () => stopped.abort());
  const [only, ...others] = parts;
  if (only && others.length === 0) {
    const { code } = await runOnce(only, stop, true);
    return stop.aborted ? 0 : code;
  }
  const keepRunning = async (part: ProcessSpec) => {
    while (!stop.aborted) {
      console.log(`[${part.name}] starting`);
      const { how } = await runOnce(part, stop, false);
      if (stop.aborted) return;
      console.error(`[${part.name}] ended with ${how}, and is started again`);
      await sleep(RESTART_AFTER, undefined, { signal: stop }).catch(() => undefined);
    }
  };
  await Promise.all(parts.map(keepRunning));
  return 0;
}

async function main(): Promise<number> {
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const settings = readVariables();
  // The first start reads thousands of modules before a part says its first word.
  console.log(`Reading the settings from ${settings.file ?? "the environment"}.`);
  const { parts, problems } = readParts(settings, positionals);
  if (problems.length > 0) {
    console.error(`These settings are wrong:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
    return 1;
  }
  if (values.check) {
    console.log(`The settings are valid. They start ${parts.map(({ name }) => name).join(", ")}.`);
    return 0;
  }
  console.log(`Starting ${parts.map(({ name }) => name).join(", ")}.`);
  for (const { name, url, metrics } of parts) {
    console.log(`${name.padEnd(10)} ${(url ?? "").padEnd(24)} metrics and probes at ${metrics}`);
  }
  return run(parts);
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
