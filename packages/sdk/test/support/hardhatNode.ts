import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const hardhat = createRequire(`${root}package.json`)
  .resolve("hardhat/package.json")
  .replace("package.json", "dist/src/cli.js");

/** A real local chain in a process of its own. */
export type HardhatNode = { rpcUrl: string; stop(): Promise<void> };

/** Starts `hardhat node` on a port and waits until it answers. */
export async function startHardhatNode(port: number, chainId = 31337): Promise<HardhatNode> {
  const rpcUrl = `http://127.0.0.1:${port}`;
  if (await answers(rpcUrl)) throw new Error(`Port ${port} is taken`);
  const child = spawn(
    process.execPath,
    [hardhat, "node", "--port", String(port), "--chain-id", String(chainId)],
    {
      cwd: root,
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, HARDHAT_DISABLE_TELEMETRY_PROMPT: "true" },
    },
  );
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  // A test run that is interrupted leaves no chain behind.
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const stop = async () => {
    process.off("exit", kill);
    kill();
    await ended;
  };
  for (const deadline = Date.now() + 60_000; !(await answers(rpcUrl)); ) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`hardhat node on port ${port} did not start: ${errors}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return { rpcUrl, stop };
}

async function answers(rpcUrl: string): Promise<boolean> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] });
  const init = { method: "POST", headers: { "content-type": "application/json" }, body };
  return fetch(rpcUrl, { ...init, signal: AbortSignal.timeout(2_000) }).then(
    (response) => response.ok,
    () => false,
  );
}
