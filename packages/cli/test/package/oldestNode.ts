import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { delimiter, dirname } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Returns the path of the oldest Node.js that the packages support, 20.19.0, from npm's package `node`. */
export async function oldestNode(): Promise<string> {
  const manifest = await readFile(new URL("../../package.json", import.meta.url), "utf8");
  const version = `${JSON.parse(manifest).engines.node.replace(">=", "")}.0`;
  const { stdout } = await run("npx", ["-y", `node@${version}`, "-p", "process.execPath + process.version"]);
  const path = stdout.trim();
  if (!path.endsWith(`v${version}`)) throw new Error(`Not Node.js ${version}: ${path}`);
  return path.slice(0, -version.length - 1);
}

/** Returns an environment in which `node` is the oldest Node.js. */
export async function oldestEnvironment(): Promise<NodeJS.ProcessEnv> {
  return { ...process.env, PATH: `${dirname(await oldestNode())}${delimiter}${process.env.PATH ?? ""}` };
}
