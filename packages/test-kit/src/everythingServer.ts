import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { freePort } from "./freePort.ts";

const require = createRequire(new URL("../../../package.json", import.meta.url));
const program = require
  .resolve("@modelcontextprotocol/server-everything/package.json")
  .replace("package.json", "dist/index.js");

/** Reference server of the MCP project over HTTP, in a separate process. */
export type EverythingServer = { url: string; stop(): Promise<void> };

export async function startEverythingServer(
  transport: "streamableHttp" | "sse" = "streamableHttp",
): Promise<EverythingServer> {
  const port = await freePort();
  const child = spawn(process.execPath, [program, transport], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  // Kill the server with this process, so that an interrupted test run leaves none behind.
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const stop = async () => {
    process.off("exit", kill);
    kill();
    await ended;
  };
  await new Promise<void>((resolve, reject) => {
    child.stderr.on("data", (text) => /listening|running/.test(String(text)) && resolve());
    void ended.then(() => reject(new Error("The MCP server ended before it listened")));
  });
  return { url: `http://127.0.0.1:${port}/${transport === "sse" ? "sse" : "mcp"}`, stop };
}
