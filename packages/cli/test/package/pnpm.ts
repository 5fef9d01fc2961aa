import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Returns the command of the pnpm that runs this script, or else of the same major version by npx. */
function command(): [program: string, ...parameters: string[]] {
  const running = process.env.npm_execpath;
  return running?.includes("pnpm") ? [process.execPath, running] : ["npx", "-y", "pnpm@10"];
}

/** Runs pnpm in a folder. An error contains its output. */
export async function pnpm(parameters: readonly string[], cwd: string): Promise<void> {
  const [program, ...own] = command();
  await promisify(execFile)(program, [...own, ...parameters], { cwd }).catch((error) => {
    throw new Error(`pnpm ${parameters.join(" ")} failed:\n${error.stdout}\n${error.stderr}`);
  });
}
