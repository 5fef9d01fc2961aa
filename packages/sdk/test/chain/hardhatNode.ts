import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The chain that the tests run against. */
    rpcUrl: string;
  }
}

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const firstPort = 18560;
const ports = 10;

/** Starts one chain for all test files; each deploys contracts of its own. */
export default async function startChain(project: TestProject): Promise<() => Promise<void>> {
  const port = await freePort();
  // The programs themselves: a signal to the shell scripts of .bin would not reach them.
  const [program, cli] = [`${root}node_modules/node/bin/node`, `${root}node_modules/hardhat/dist/src/cli.js`];
  const node = spawn(program, [cli, "node", "--port", String(port)], {
    cwd: root,
    env: { ...process.env, HARDHAT_DISABLE_TELEMETRY_PROMPT: "true" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const rpcUrl = `http://127.0.0.1:${port}`;
  await untilListening(node, rpcUrl);
  project.provide("rpcUrl", rpcUrl);
  return async () => {
    node.kill();
    if (node.exitCode === null && node.signalCode === null) await once(node, "exit");
  };
}

async function untilListening(node: ChildProcess, rpcUrl: string): Promise<void> {
  let output = "";
  for (const stream of [node.stdout, node.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-2000);
    });
  }
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline && node.exitCode === null) {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(rpcUrl, { method: "POST", headers, body }).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  node.kill();
  throw new Error(`hardhat node did not start:\n${output}`);
}

async function freePort(): Promise<number> {
  for (let port = firstPort; port < firstPort + ports; port += 1) {
    const server = createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
    });
    if (!free) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
  throw new Error(`No free port from ${firstPort} on.`);
}
