import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { rootDirectory } from "./processes.ts";

/** Where the parts of the running development stack answer. */
export interface StackUrls {
  webUrl: string;
  rpcUrl: string;
  indexerUrl: string;
  deploymentFile: string;
}

/** STACK_STATE names another stack than the one of `pnpm dev`. */
const stateFile = process.env.STACK_STATE ?? join(rootDirectory, ".local/dev/stack.json");

/** Leaves the URLs of the running stack for scripts that work on it. */
export async function writeStackUrls(urls: StackUrls): Promise<void> {
  await writeFile(stateFile, JSON.stringify(urls, ["webUrl", "rpcUrl", "indexerUrl", "deploymentFile"], 2));
}

/** @throws When no stack runs. */
export async function readStackUrls(): Promise<StackUrls> {
  const parse = (text: string) => JSON.parse(text) as StackUrls;
  const urls = await readFile(stateFile, "utf8").then(parse, () => undefined);
  const running = urls && (await fetch(new URL("/api/health", urls.webUrl)).catch(() => undefined));
  if (!urls || !running?.ok) throw new Error("No local stack answers. Start it first: npx -y pnpm@10 dev");
  return urls;
}
