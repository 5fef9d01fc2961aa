import { readFile } from "node:fs/promises";
import { type AppRegistryClient, createAppRegistryClient, parseDeployment } from "@app-registry/sdk";
import { type Account, createPublicClient, createWalletClient, http } from "viem";
import { hardhat } from "viem/chains";
import type { StackUrls } from "./state.ts";

/** A registry client of the local stack that signs as `account`. */
export async function localClient(
  urls: Pick<StackUrls, "rpcUrl" | "deploymentFile">,
  account: Account,
): Promise<AppRegistryClient> {
  const transport = http(urls.rpcUrl);
  return createAppRegistryClient({
    deployment: parseDeployment(JSON.parse(await readFile(urls.deploymentFile, "utf8"))),
    publicClient: createPublicClient({ chain: hardhat, transport, pollingInterval: 200 }),
    walletClient: createWalletClient({ chain: hardhat, transport, account }),
  });
}
