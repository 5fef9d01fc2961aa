import { ISSUER_INDEX, localAccount } from "./accounts.ts";
import { run, type Service, startService, waitUntilReady } from "./processes.ts";

/** A server of the stack; it ends with `service.stop()`. */
export interface Server {
  url: string;
  service: Service;
}

const READY_SECONDS = 180;

/** Starts an empty local chain on a port and waits until it answers. */
export async function startNode(port: number, logDirectory: string): Promise<Server> {
  const url = `http://127.0.0.1:${port}`;
  const service = await startService({
    name: "chain",
    command: "hardhat",
    parameters: ["node", "--port", String(port)],
    logDirectory,
  });
  await waitUntilReady(service, READY_SECONDS, () => isLocalChain(url));
  return { url, service };
}

/** Deploys the contracts to a local chain and writes the deployment file; the issuer is one of the chain's accounts. */
export async function deployContracts(rpcUrl: string, deploymentFile: string): Promise<void> {
  await run("hardhat", ["run", "--no-compile", "scripts/deploy.ts", "--network", "localhost"], {
    environment: {
      LOCAL_RPC_URL: rpcUrl,
      DEPLOYMENT_FILE: deploymentFile,
      ISSUER_ADDRESS: localAccount(ISSUER_INDEX).address,
    },
  });
}

async function isLocalChain(rpcUrl: string): Promise<boolean> {
  const response = await fetch(rpcUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] }),
    signal: AbortSignal.timeout(5_000),
  });
  const { result } = (await response.json()) as { result?: string };
  return result === "0x7a69";
}
