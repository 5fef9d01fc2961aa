import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { runProgram } from "../src/run.ts";
import { formatLine, formatOutcome, type Line } from "../src/terminal.ts";
import { programs } from "./programs.ts";

/** Result of one run of the command. */
export type CliResult = {
  code: number | null;
  stdout: string;
  stderr: string;
  /** Standard output as JSON. */
  json(): Record<string, unknown>;
};

type Surroundings = { environment?: Record<string, string>; cwd?: string };

/** Environment variable of Node's compile cache, which makes processes start faster. The command does not read it. */
const { NODE_COMPILE_CACHE } = process.env;
export const compileCache = NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {};

/** Runs `app-registry` in a separate process, without this process's environment. */
export async function spawnCli(
  args: readonly string[],
  { environment = {}, input = "", cwd = "/" }: Surroundings & { input?: string | Uint8Array } = {},
): Promise<CliResult> {
  const env = { ...compileCache, ...environment };
  const child = spawn(process.execPath, [programs.cli, ...args], { env, cwd });
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr, json: () => JSON.parse(stdout) };
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command of `app-registry` in this process, one at a time and without its environment. Separate processes would
 * load the same modules a hundred times.
 */
export function runCli(args: readonly string[], surroundings: Surroundings = {}): Promise<CliResult> {
  const run = last.then(() => runWithin(args, surroundings));
  last = run.catch(() => undefined);
  return run;
}

async function runWithin(args: readonly string[], { environment = {}, cwd = "/" }: Surroundings) {
  const json = args.includes("--json");
  const notes: string[] = [];
  const { env } = process;
  const folder = process.cwd();
  process.env = { ...environment };
  process.chdir(cwd);
  try {
    const note = (line: Line) => void (json || notes.push(`${formatLine(line, {})}\n`));
    const outcome = await runProgram(args, { json, interactive: false, note });
    if (!outcome) throw new Error("The command wrote its help");
    const written = formatOutcome(outcome, json);
    const isError = "error" in outcome.json && !json;
    const stdout = isError ? "" : written;
    const stderr = notes.join("") + (isError ? written : "");
    return { code: outcome.exitCode ?? 0, stdout, stderr, json: () => JSON.parse(stdout) };
  } finally {
    process.chdir(folder);
    process.env = env;
  }
}
