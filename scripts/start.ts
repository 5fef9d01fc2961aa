import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs, parseEnv } from "node:util";
import { execa } from "execa";
import getPort from "get-port";
import { startPostgres } from "./stack/postgres.ts";
import { rootDirectory, type Service } from "./stack/processes.ts";
import { type ProcessSpec, partNames, readParts, type StartInput } from "./supervisor/parts.ts";

const usage = `pnpm start [--env-file registry.env] [--check] [${partNames.join("|")} ...]

Starts the registry as it was built (pnpm build), or the named parts of it. Settings come from the file, and from the
environment, which goes first; docs/configuration.md lists them.

  --env-file   file of settings; default registry.env
  --check      lists every invalid setting without starting a process
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

/** Reads the settings of a file and the environment, which takes precedence. Paths are relative to the file. */
function readVariables(): StartInput & { file?: string } {
  const file = resolve(values["env-file"] ?? join(rootDirectory, "registry.env"));
  const isMissing = values["env-file"] === undefined && !existsSync(file);
  if (isMissing) return { variables: process.env, inFile: [], directory: rootDirectory };
  const given = parseEnv(readFileSync(file, "utf8"));
  const variables = { ...given, ...process.env };
  return { file, variables, inFile: Object.keys(given), directory: dirname(file) };
}

/** Delay before a restart, and time for a process to stop before it is killed, in milliseconds. */
const RESTART_AFTER = 2_000;
const SHUTDOWN = 60_000;

/** Runs a process until it ends or `stop` is aborted. If it is one of several, prefixes its lines with its name. */
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

/**
 * Starts PostgreSQL on a folder, and starts it again when it ends. Returns its URL, and a function that stops it. It
 * has its own process group, so that Ctrl-C stops it after the processes that use it.
 */
async function runPostgres(directory: string) {
  const port = await getPort();
  // docs/performance.md counts the connections of each process.
  const start = () => startPostgres({ directory, port, settings: { max_connections: "400" } });
  // The server of a killed run needs a moment to end.
  let service = await start().catch(() => sleep(RESTART_AFTER).then(start));
  let isStopped = false;
  const watch = async ({ ended }: Service): Promise<void> => {
    const code = await ended;
    if (isStopped) return;
    console.error(`[postgres] ended with code ${code}, restarting`);
    await sleep(RESTART_AFTER);
    if (isStopped) return;
    const next = await start().catch((error: Error) => console.error(error.message));
    if (next) service = next;
    await watch(service);
  };
  void watch(service);
  const stop = async () => {
    isStopped = true;
    await service.stop(SHUTDOWN);
  };
  return { url: service.url, logFile: service.logFile, stop };
}

/** Runs the parts. A single part ends this process when it ends. Of several, a part that ends is restarted. */
async function run(parts: readonly ProcessSpec[], stopped: AbortController): Promise<number> {
  const { signal: stop } = stopped;
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
      console.error(`[${part.name}] ended with ${how}, restarting`);
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
  // Print this first: on a first start, parts load thousands of modules before they print a line.
  console.log(`Reading the settings from ${settings.file ?? "the environment"}.`);
  const { parts, problems, postgresDirectory, notes } = readParts(settings, positionals);
  if (problems.length > 0) {
    console.error(`Invalid settings:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
    return 1;
  }
  for (const note of notes) console.warn(note);
  if (values.check) {
    console.log(`The settings are valid. They start ${parts.map(({ name }) => name).join(", ")}.`);
    return 0;
  }
  console.log(`Starting ${parts.map(({ name }) => name).join(", ")}.`);
  for (const { name, url, metrics } of parts) {
    console.log(`${name.padEnd(10)} ${(url ?? "").padEnd(24)} metrics and probes at ${metrics}`);
  }
  const stopped = new AbortController();
  for (const name of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(name, () => stopped.abort());
  if (postgresDirectory === undefined) return run(parts, stopped);
  const postgres = await runPostgres(postgresDirectory);
  console.log(`postgres   ${postgresDirectory}, with its log in ${postgres.logFile}`);
  for (const { environment } of parts) environment.DATABASE_URL = postgres.url;
  return run(parts, stopped).finally(postgres.stop);
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
