import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { freePort } from "@app-registry/test-kit/freePort";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

/** The MCP project's own reference server, running over streamable HTTP. */
export interface McpServer {
  url: string;
  close: () => void;
}

const READY_MS = 20_000;

/** Starts `@modelcontextprotocol/server-everything` and waits until it answers. */
export async function startEverythingServer(): Promise<McpServer> {
  const port = await freePort();
  const root = createRequire(new URL("../../../../package.json", import.meta.url));
  const program = root.resolve("@modelcontextprotocol/server-everything/dist/index.js");
  const server = spawn(process.execPath, [program, "streamableHttp"], {
    env: { ...process.env, PORT: String(port) },
    stdio: "ignore",
  });
  const url = `http://localhost:${port}/mcp`;
  const deadline = Date.now() + READY_MS;
  while (!(await answers(url))) {
    if (Date.now() > deadline) {
      server.kill();
      throw new Error("The MCP server did not start.");
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return { url, close: () => void server.kill() };
}

/** What an MCP server lists, read with the MCP project's own client. */
export async function readOffer(url: string) {
  const client = new Client({ name: "app-registry-tests", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const [{ tools }, { resources }, { prompts }] = await Promise.all([
    client.listTools(),
    client.listResources(),
    client.listPrompts(),
  ]);
  await client.close();
  return { tools, resources, prompts };
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    (response) => response.status < 500,
    () => false,
  );
