import { createTestClient, http } from "viem";
import { hardhat } from "viem/chains";
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

interface AnvilParameters {
  port: number;
  /** Holds the chain while no process does; read at the start if it is there, written at the end. */
  stateFile: string;
  /** Seconds between two blocks; left out, each transaction has a block of its own. */
  blockTime?: number;
  /** Names the log. */
  name?: string;
  logDirectory: string;
}

/** Unix seconds of every chain's first block: Anvil makes that block anew at each start. */
const GENESIS = Math.floor(Date.now() / 1_000);

/**
 * Blocks whose state Anvil keeps and writes: each weighs megabytes, which slow it down. Pages read the last one, a
 * reorganisation of 25 blocks the one below them, and Ponder none.
 */
const STATES = 40;

/** Starts Anvil, whose chain outlives its process: it goes on with the same blocks. */
export async function startAnvil({
  port,
  stateFile,
  blockTime,
  name = "chain",
  logDirectory,
}: AnvilParameters): Promise<Server> {
  const url = `http://127.0.0.1:${port}`;
  const service = await startService({
    name,
    command: "anvil",
    parameters: [
      ...["--port", String(port), "--accounts", "20", "--hardfork", "cancun", "--silent"],
      ...["--state", stateFile, "--preserve-historical-states", "--timestamp", String(GENESIS)],
      ...["--prune-history", String(STATES)],
      ...(blockTime === undefined ? [] : ["--no-mining"]),
    ],
    logDirectory,
  });
  await waitUntilReady(service, READY_SECONDS, () => isLocalChain(url));
  // Its clock begins at the first block's time.
  const chain = createTestClient({ chain: hardhat, mode: "anvil", transport: http(url) });
  await chain.increaseTime({ seconds: Math.floor(Date.now() / 1_000) - GENESIS });
  if (blockTime !== undefined) await chain.setIntervalMining({ interval: blockTime });
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
