import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type AppRegistryClient,
  canonicalizeValue,
  createAppRegistryClient,
  createPublication,
  type HashAlgorithm,
  type Metadata,
  parseDeployment,
  runOperation,
} from "@app-registry/sdk";
import { type Account, createPublicClient, createWalletClient, http } from "viem";
import { hardhat } from "viem/chains";
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

/** Creates a registry client of the local stack that signs as `account`. */
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

/** Service to register as version 1.0.0. */
export interface Service {
  did: string;
  interfaces: number;
  metadata: Metadata;
  contractId?: string;
  algorithm?: HashAlgorithm;
}

/**
 * Registers a service like the wizard: proves control of the DID, mints, requests the attestation of the dataHash, and
 * waits until search finds the service.
 */
export async function registerService(
  urls: StackUrls,
  account: Account,
  { metadata, ...service }: Service,
  onStep: (message: string) => void = () => {},
): Promise<void> {
  const client = await localClient(urls, account);
  const request = { ...service, version: "1.0.0", metadata: canonicalizeValue(metadata) };
  await runOperation(createPublication(request, account.address), {
    client,
    baseUrl: urls.webUrl,
    openSigner: async () => client,
    onEvent: (event) => event.type === "stage" && event.state === "done" && onStep(event.note),
  });
}
