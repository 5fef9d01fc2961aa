import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../bin/app-registry.js", import.meta.url));

/** What one run of the command came to. */
export type CliResult = {
  code: number | null;
  stdout: string;
  stderr: string;
  /** Standard output as JSON. */
  json(): Record<string, unknown>;
};

/** Where Node keeps compiled modules, so that each process starts faster. The command itself does not read it. */
const { NODE_COMPILE_CACHE } = process.env;
export const compileCache = NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {};

/** Runs `app-registry` in a process of its own, with nothing else of this process's environment. */
export async function runCli(
  args: readonly string[],
  {
    environment = {},
    input = "",
    cwd = "/",
  }: { environment?: Record<string, string>; input?: string; cwd?: string } = {},
): Promise<CliResult> {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...compileCache, ...environment },
    cwd,
  });
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr, json: () => JSON.parse(stdout) };
}
