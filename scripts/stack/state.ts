import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { rootDirectory } from "./processes.ts";

/** URLs of the parts of the running development stack. */
export interface StackUrls {
  webUrl: string;
  rpcUrl: string;
  indexerUrl: string;
  deploymentFile: string;
}

/** File with the URLs of the running stack. STACK_STATE selects another stack than that of `pnpm dev`. */
const stateFile = process.env.STACK_STATE ?? join(rootDirectory, ".local/dev/stack.json");

/** Saves the URLs of the running stack for other scripts. */
export async function writeStackUrls(urls: StackUrls): Promise<void> {
  await writeFile(stateFile, JSON.stringify(urls, ["webUrl", "rpcUrl", "indexerUrl", "deploymentFile"], 2));
}

/** Reads the URLs of the running stack. @throws Error if no stack is running */
export async function readStackUrls(): Promise<StackUrls> {
  const parse = (text: string) => JSON.parse(text) as StackUrls;
  const urls = await readFile(stateFile, "utf8").then(parse, () => undefined);
  const running = urls && (await fetch(new URL("/api/health", urls.webUrl)).catch(() => undefined));
  if (!urls || !running?.ok) throw new Error("No local stack is running. Start it first: npx -y pnpm@10 dev");
  return urls;
}
