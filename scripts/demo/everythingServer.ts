import { join } from "node:path";
import getPort, { portNumbers } from "get-port";
import { rootDirectory, type Service, startService, waitUntilReady } from "../stack/processes.ts";

/** Starts the reference MCP server of the Model Context Protocol over streamable HTTP on loopback. */
export async function startEverythingServer(
  logDirectory: string,
): Promise<{ service: Service; url: string }> {
  const port = await getPort({ port: portNumbers(3901, 3950) });
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
