import { request as send } from "node:http";
import { startMcpServer } from "@app-registry/test-kit/mcpServer";
import { onTestFinished } from "vitest";
import { serveSite } from "./serveSite.ts";

export const agentCard = "/.well-known/agent-card.json";

/** Word in each text of a service, by the path of the service. */
export const fourWords = { "/mcp": "red", [agentCard]: "green", "/openapi.json": "yellow", "/about": "blue" };

/** Serves an MCP server, an A2A agent, an API and a website on one host. Texts of each contain its own word. */
export async function serveFourServices(more: Record<string, object> = {}) {
  const tool = { name: "red_tool", inputSchema: { type: "object" } };
  const mcp = await startMcpServer({
    tools: [tool],
    hasSessions: false,
    answer: (method) =>
      method === "initialize"
        ? {
            protocolVersion: "2025-06-18",
            capabilities: { tools: {} },
            serverInfo: { name: "red", version: "1.0.0" },
            instructions: "red",
          }
        : undefined,
  });
  onTestFinished(() => mcp.close());
  return serveSite(
    {
      "/": `<title>Blue</title><meta name="description" content="blue"><meta property="og:site_name" content="Blue Ltd">
        <link rel="icon" href="/blue.png">`,
      [agentCard]: {
        name: "Green",
        description: "green",
        version: "2.0.0",
        provider: { organization: "Green Ltd", url: "https://green.example.com" },
        supportedInterfaces: [{ url: "https://green.example.com/", protocolBinding: "JSONRPC" }],
        skills: [{ id: "green", name: "green", description: "green", tags: ["green"] }],
      },
      "/openapi.json": {
        openapi: "3.1.0",
        info: { title: "Yellow", version: "3.0.0", description: "yellow", contact: { name: "Yellow Ltd" } },
        servers: [{ url: "https://yellow.example.com" }],
        tags: [{ name: "yellow" }],
      },
      "/about": `<title>Blue</title><meta name="description" content="blue"><link rel="icon" href="/blue.png">`,
      ...more,
    },
    (request, response) => {
      if (request.url !== "/mcp") return void response.writeHead(404).end();
      const { method, headers } = request;
      request.pipe(
        send(mcp.url, { method, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(response);
        }),
      );
    },
  );
}
