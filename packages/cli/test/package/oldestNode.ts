import { execFile } from "node:child_process";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Returns an environment in which `node` is Node.js 20: the machine's own, else that of npm's `node` package. */
export async function node20Environment(): Promise<NodeJS.ProcessEnv> {
  const path = process.env.PATH ?? "";
  return { ...process.env, PATH: `${await node20Folder(path.split(delimiter))}${delimiter}${path}` };
}

async function node20Folder(folders: readonly string[]): Promise<string> {
  for (const folder of folders) {
    const answer = await run(join(folder, "node"), ["--version"]).catch(() => undefined);
    if (answer?.stdout.startsWith("v20.")) return folder;
  }
  const { stdout } = await run("npx", ["-y", "node@20", "-p", "process.execPath"]);
  return dirname(stdout.trim());
}
