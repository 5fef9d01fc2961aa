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

/** File with the URLs of the stack of `pnpm dev`, which `app-registry` reads in a checkout. */
const stateFile = join(rootDirectory, ".local/dev/stack.json");

/** Saves the URLs of the running stack for other scripts. */
export async function writeStackUrls(urls: StackUrls): Promise<void> {
  await writeFile(stateFile, JSON.stringify(urls, ["webUrl", "rpcUrl", "indexerUrl", "deploymentFile"], 2));
}
