import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { deployContracts as deploy } from "@app-registry/test-kit/deployContracts";
import { createPublicClient, http } from "viem";
import { LOCAL_CHAIN_ID } from "../../packages/sdk/src/local.ts";
import { ISSUER_INDEX, localAccount } from "./accounts.ts";
import { type Service, startService, waitUntilReady } from "./processes.ts";

/** Starts an empty local chain on a port and waits until it responds. */
export async function startNode(port: number, logDirectory: string): Promise<Service> {
  const url = `http://127.0.0.1:${port}`;
  const command = ["hardhat", "node", "--port", String(port)];
  const chain = await startService({ name: "chain", command, url, logDirectory });
  const client = createPublicClient({ transport: http(url) });
  await waitUntilReady(chain, async () => (await client.getChainId()) === LOCAL_CHAIN_ID);
  return chain;
}

/**
 * Deploys the contracts to a local chain and writes the deployment file; the issuer is one of the chain's accounts.
 * Returns the settings of a registry on that chain.
 */
export async function deployContracts(rpcUrl: string, deploymentFile: string) {
  const deployment = await deploy(rpcUrl, { issuer: localAccount(ISSUER_INDEX).address });
  await mkdir(dirname(deploymentFile), { recursive: true });
  await writeFile(deploymentFile, JSON.stringify(deployment, null, 2));
  return { CHAIN_ID: String(LOCAL_CHAIN_ID), RPC_URL: rpcUrl, DEPLOYMENT_FILE: deploymentFile };
}
