import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { findFreePort } from "../stack/ports.ts";
import { rootDirectory, type Service, startService, waitUntilReady } from "../stack/processes.ts";

/** Starts the reference MCP server of the Model Context Protocol over streamable HTTP on loopback. */
export async function startEverythingServer(
  logDirectory: string,
): Promise<{ service: Service; url: string }> {
  const port = await findFreePort(3901);
  const url = `http://localhost:${port}/mcp`;
  const service = await startService({
    name: "mcp-server",
    command: join(rootDirectory, "node_modules/.bin/mcp-server-everything"),
    parameters: ["streamableHttp"],
    environment: { PORT: String(port) },
    logDirectory,
  });
  await waitUntilReady(service, 30, async () => (await fetch(url, { method: "GET" })).status < 500);
  return { service, url };
}

/** Reads what an MCP server offers, as metadata of an `MCP` endpoint. */
export async function readMcpEndpoint(url: string) {
  const client = new Client({ name: "app-registry-demo", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  try {
    const { tools } = await client.listTools();
    const { resources } = await client.listResources();
    const { prompts } = await client.listPrompts();
    return {
      name: "MCP",
      endpoint: url,
      transport: { http: { url, method: "POST" } },
      tools,
      resources,
      prompts,
    };
  } finally {
    await client.close();
  }
}
