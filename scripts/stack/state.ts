import { writeFile } from "node:fs/promises";
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
