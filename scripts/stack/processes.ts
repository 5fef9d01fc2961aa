import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { execa } from "execa";

/** Formats the time since `start`, in milliseconds, as whole seconds. */
export const secondsSince = (start: number) => `${((Date.now() - start) / 1_000).toFixed(0).padStart(4)} s`;

export type Step = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** Time between two lines about a step that takes long, in milliseconds. */
const PROGRESS_MS = 20_000;

/**
 * Runs a part of a start. Prints its name when it begins, the time so far every 20 seconds, and its duration when it is
 * done.
 */
export const printStep: Step = async (name, work) => {
  const startedAt = Date.now();
  const print = (mark: string) =>
    console.log(`${mark.padEnd(7)} ${name.padEnd(16)} ${secondsSince(startedAt)}`);
  console.log(`…       ${name}`);
  const progress = setInterval(print, PROGRESS_MS, "…");
  const result = await work().finally(() => clearInterval(progress));
  print("ok");
  return result;
};

export const rootDirectory = fileURLToPath(new URL("../../", import.meta.url));

type Variables = Record<string, string | undefined>;

/** Program that runs until it is stopped. */
export interface Program {
  command: string[];
  /** Working directory. Default: the repository. */
  directory?: string;
  /** Variables in addition to those of this process. */
  environment?: Variables;
  /** URL that it serves, if any. */
  url?: string;
  /** Signal that stops it. Default SIGTERM. */
  stopSignal?: NodeJS.Signals;
}

/** Running program with a log file and its own process group. */
export interface Service {
  readonly name: string;
  readonly url: string;
  readonly logFile: string;
  /** Process id of the guard that the program runs under, and of its process group. */
  readonly processId: number;
  /** Resolves with the exit code when the process has ended. */
  readonly ended: Promise<number>;
  /** Sends its stop signal to its processes, and SIGKILL to those that still run after `grace` milliseconds. */
  stop(grace?: number): Promise<void>;
  /** Kills its processes at once (SIGKILL). */
  kill(): Promise<void>;
}

interface ServiceParameters extends Program {
  name: string;
  /** Variables in addition to those of the program. */
  settings?: Variables;
  logDirectory: string;
  /** Folder to remove when the program has ended. */
  temporaryDirectory?: string | undefined;
}

/** Starts a program in its own process group, under a guard that ends it when this process ends. */
export async function startService(options: ServiceParameters): Promise<Service> {
  const { name, command, url = "", stopSignal = "SIGTERM", logDirectory } = options;
  await mkdir(logDirectory, { recursive: true });
  const logFile = join(logDirectory, `${name}.log`);
  const log = { file: logFile };
  const child = execa(
    process.execPath,
    [fileURLToPath(new URL("killOnParentExit.ts", import.meta.url)), ...command],
    {
      ...commandOptions(options),
      ...{ detached: true, stdin: "pipe", stdout: log, stderr: log, buffer: false },
    },
  );
  const { pid: processId = 0 } = child;
  const signal = (wanted: NodeJS.Signals) => {
    try {
      process.kill(-processId, wanted);
    } catch {
      // All processes of the group have ended.
    }
  };
  // Kill processes that outlive their command.
  child.nodeChildProcess.once("exit", () => signal("SIGKILL"));
  // `ended` resolves after the log is complete, so that callers can read all of it.
  const ended = child.then(async ({ exitCode = 1 }) => {
    if (options.temporaryDirectory) await rm(options.temporaryDirectory, { recursive: true, force: true });
    running.delete(service);
    return exitCode;
  });
  const service: Service = {
    ...{ name, url, logFile, processId, ended },
    async stop(grace = 1_000) {
      signal(stopSignal);
      const timer = setTimeout(signal, grace, "SIGKILL");
      await ended;
      clearTimeout(timer);
    },
    async kill() {
      signal("SIGKILL");
      await ended;
    },
  };
  running.add(service);
  return service;
}

const running = new Set<Service>();

/** Stops every service that this process started, the last started first. */
export async function stopServices(): Promise<void> {
  for (const service of [...running].reverse()) await service.stop();
}

type CommandParameters = Omit<Program, "command"> & { settings?: Variables };

/**
 * Runs a command to its end and returns its exit code and all its output.
 * @throws ExecaError if the command does not exist.
 */
export async function capture(command: string, parameters: string[], options: CommandParameters = {}) {
  const result = await execa(command, parameters, {
    ...commandOptions(options),
    ...{ all: true, stdin: "ignore", stripFinalNewline: false },
  });
  if (result.code === "ENOENT") throw result;
  return { code: result.exitCode ?? 1, output: result.all };
}

/** Runs a command to its end and returns its output. @throws Error with the end of the output if it fails */
export async function run(command: string, parameters: string[], options: CommandParameters = {}) {
  const { code, output } = await capture(command, parameters, options);
  if (code !== 0) throw new Error(`${command} ${parameters.join(" ")} ended with ${code}:\n${tail(output)}`);
  return output;
}

/**
 * Waits until `probe` returns true.
 * @throws Error with the end of the log if the service ends first or `seconds` have passed.
 */
export async function waitUntilReady(service: Service, probe: () => Promise<boolean>, seconds = 600) {
  let problem: string | undefined;
  const fail = (what: string) => {
    problem = what;
  };
  void service.ended.then((code) => fail(`ended with code ${code}`));
  setTimeout(fail, seconds * 1_000, `was not ready after ${seconds} s`).unref();
  while (!(await probe().catch(() => false))) {
    if (problem !== undefined) {
      const log = await readFile(service.logFile, "utf8");
      throw new Error(`The ${service.name} ${problem}. The end of ${service.logFile}:\n${tail(log)}`);
    }
    await sleep(250);
  }
}

/** Returns true if a GET of `url` has a success status. Rejects after half a minute. */
export async function answers(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(30_000) });
  await response.body?.cancel();
  return response.ok;
}

const tail = (text: string) => text.trimEnd().split("\n").slice(-25).join("\n");

const commandOptions = ({ directory = rootDirectory, environment, settings }: CommandParameters) =>
  ({
    ...{ cwd: directory, preferLocal: true, localDir: rootDirectory, reject: false },
    env: {
      HARDHAT_DISABLE_TELEMETRY_PROMPT: "true",
      NEXT_TELEMETRY_DISABLED: "1",
      PONDER_TELEMETRY_DISABLED: "true",
      ...environment,
      ...settings,
    },
  }) as const;
