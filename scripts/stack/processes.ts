import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";

export const rootDirectory = fileURLToPath(new URL("../../", import.meta.url));

/** A long-running part of the stack: its output goes to a log file, its process group can be ended. */
export interface Service {
  readonly name: string;
  readonly logFile: string;
  /** Process id of the guard that the service runs under. */
  readonly processId: number;
  /** Settles when the process has ended; the value is its exit code. */
  readonly ended: Promise<number>;
  stop(): Promise<void>;
  /** Ends it at once, without a chance to finish anything (SIGKILL). */
  kill(): Promise<void>;
}

interface ServiceParameters {
  name: string;
  command: string;
  parameters: string[];
  directory?: string;
  environment?: Record<string, string>;
  logDirectory: string;
}

/** Starts a service in a process group of its own, under a guard that ends it when this process disappears. */
export async function startService(options: ServiceParameters): Promise<Service> {
  const logFile = join(options.logDirectory, `${options.name}.log`);
  await mkdir(options.logDirectory, { recursive: true });
  const log = createWriteStream(logFile);
  const guard = fileURLToPath(new URL("guard.ts", import.meta.url));
  const child = spawn(process.execPath, [guard, options.command, ...options.parameters], {
    cwd: options.directory ?? rootDirectory,
    env: serviceEnvironment(options.environment),
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  child.stdout?.pipe(log, { end: false });
  child.stderr?.pipe(log, { end: false });
  const ended = exitCode(child).finally(async () => {
    running.delete(service);
    // Whoever reads the log of a service that ended finds all of it.
    await new Promise<void>((resolve) => log.end(resolve));
  });
  const service: Service = {
    name: options.name,
    logFile,
    processId: child.pid ?? 0,
    ended,
    async stop() {
      child.stdin?.end();
      await ended;
    },
    async kill() {
      const runs = child.exitCode === null && child.signalCode === null;
      if (child.pid !== undefined && runs) process.kill(-child.pid, "SIGKILL");
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

interface CommandParameters {
  directory?: string;
  environment?: Record<string, string>;
}

/**
 * Runs a command to its end and returns its exit code and everything that it printed.
 * @throws When the command can't be started.
 */
export async function capture(command: string, parameters: string[], options: CommandParameters = {}) {
  const result = await execa(command, parameters, {
    cwd: options.directory ?? rootDirectory,
    env: serviceEnvironment(options.environment),
    ...{ all: true, reject: false, stdin: "ignore", stripFinalNewline: false },
  });
  if (result.code === "ENOENT") throw result;
  return { code: result.exitCode ?? 1, output: result.all };
}

/** Runs a command to its end; throws with the end of its output when it fails. */
export async function run(
  command: string,
  parameters: string[],
  options: CommandParameters = {},
): Promise<string> {
  const { code, output } = await capture(command, parameters, options);
  if (code !== 0) throw new Error(`${command} ${parameters.join(" ")} ended with ${code}:\n${tail(output)}`);
  return output;
}

/**
 * Waits until `probe` answers true.
 * @throws When the service ends first or `seconds` have passed, with the end of its log.
 */
export async function waitUntilReady(service: Service, seconds: number, probe: () => Promise<boolean>) {
  let endedWith: number | undefined;
  void service.ended.then((code) => {
    endedWith = code;
  });
  const deadline = Date.now() + seconds * 1_000;
  while (!(await probe().catch(() => false))) {
    if (endedWith !== undefined) throw await failure(service, `ended with code ${endedWith}`);
    if (Date.now() > deadline) throw await failure(service, `was not ready after ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** Whether a GET of `url` answers with a success status within five seconds. */
export async function answers(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
  await response.body?.cancel();
  return response.ok;
}

async function failure(service: Service, what: string): Promise<Error> {
  const log = await readFile(service.logFile, "utf8").catch(() => "");
  return new Error(`The ${service.name} ${what}. The end of ${service.logFile}:\n${tail(log)}`);
}

function tail(text: string): string {
  return text.trimEnd().split("\n").slice(-25).join("\n");
}

function exitCode(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}

function serviceEnvironment(extra: Record<string, string> = {}): NodeJS.ProcessEnv {
  const binaries = [join(rootDirectory, "node_modules/.bin"), dirname(process.execPath)];
  return {
    ...process.env,
    PATH: [...binaries, process.env.PATH].join(":"),
    HARDHAT_DISABLE_TELEMETRY_PROMPT: "true",
    NEXT_TELEMETRY_DISABLED: "1",
    PONDER_TELEMETRY_DISABLED: "true",
    ...extra,
  };
}
