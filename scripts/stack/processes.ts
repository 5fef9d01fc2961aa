import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { execa } from "execa";

export const rootDirectory = fileURLToPath(new URL("../../", import.meta.url));

type Variables = Record<string, string | undefined>;

/** A program that runs until it is stopped. */
export interface Program {
  command: string[];
  /** Default the repository. */
  directory?: string;
  /** Variables beside those of this process. */
  environment?: Variables;
  /** Where it answers, if it does. */
  url?: string;
}

/** A running program: its output goes to a log file, its process group can be ended. */
export interface Service {
  readonly name: string;
  readonly url: string;
  readonly logFile: string;
  /** Process id of the guard that the program runs under, and of its process group. */
  readonly processId: number;
  /** Settles when the process has ended; the value is its exit code. */
  readonly ended: Promise<number>;
  /** Asks its processes to end, and kills those that still run after some milliseconds. */
  stop(grace?: number): Promise<void>;
  /** Ends it at once, without a chance to finish anything (SIGKILL). */
  kill(): Promise<void>;
}

interface ServiceParameters extends Program {
  name: string;
  /** Variables beside those that the program always has. */
  settings?: Variables;
  logDirectory: string;
}

/** Starts a program in a process group of its own, under a guard that ends it when this process disappears. */
export async function startService(options: ServiceParameters): Promise<Service> {
  const { name, command, url = "", logDirectory } = options;
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
      // Nothing of the group is left.
    }
  };
  // Of a command that ends by itself, nothing runs on.
  child.nodeChildProcess.once("exit", () => signal("SIGKILL"));
  // Whoever reads the log of a service that ended finds all of it.
  const ended = child.then(({ exitCode = 1 }) => exitCode).finally(() => running.delete(service));
  const service: Service = {
    ...{ name, url, logFile, processId, ended },
    async stop(grace = 1_000) {
      signal("SIGTERM");
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

/** Ends every service that this process started, the last started first. */
export async function stopServices(): Promise<void> {
  for (const service of [...running].reverse()) await service.stop();
}

type CommandParameters = Omit<Program, "command"> & { settings?: Variables };

/**
 * Runs a command to its end and returns its exit code and everything that it printed.
 * @throws When the command can't be started.
 */
export async function capture(command: string, parameters: string[], options: CommandParameters = {}) {
  const result = await execa(command, parameters, {
    ...commandOptions(options),
    ...{ all: true, stdin: "ignore", stripFinalNewline: false },
  });
  if (result.code === "ENOENT") throw result;
  return { code: result.exitCode ?? 1, output: result.all };
}

/** Runs a command to its end; throws with the end of its output when it fails. */
export async function run(command: string, parameters: string[], options: CommandParameters = {}) {
  const { code, output } = await capture(command, parameters, options);
  if (code !== 0) throw new Error(`${command} ${parameters.join(" ")} ended with ${code}:\n${tail(output)}`);
  return output;
}

/**
 * Waits until `probe` answers true.
 * @throws When the service ends first or `seconds` have passed, with the end of its log.
 */
export async function waitUntilReady(service: Service, probe: () => Promise<boolean>, seconds = 180) {
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

/** Whether a GET of `url` answers with a success status within five seconds. */
export async function answers(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
  await response.body?.cancel();
  return response.ok;
}

/** Bytes of memory of a service, as /proc says (Linux): now, and the most since it started. */
export async function readMemory({ processId }: Service): Promise<{ resident: number; peak: number }> {
  // The guard's only child is the command.
  const child = await readFile(`/proc/${processId}/task/${processId}/children`, "utf8").catch(() => "");
  const status = await readFile(`/proc/${child.trim()}/status`, "utf8").catch(() => "");
  const bytes = (line: RegExp) => Number(line.exec(status)?.[1] ?? 0) * 1_024;
  return { resident: bytes(/VmRSS:\s+(\d+) kB/), peak: bytes(/VmHWM:\s+(\d+) kB/) };
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
