import { createServer } from "node:http";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { listen } from "@app-registry/test-kit/listen";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";

/** Starts a server of the MCP SDK that speaks revision 2026-07-28 only. */
export async function startModernSdkServer(): Promise<{ url: string; close(): Promise<void> }> {
  const factory = () => {
    const server = new McpServer({ name: "modern", version: "1.0.0" });
    const config = { description: "Says it again.", inputSchema: z.object({ message: z.string() }) };
    server.registerTool("echo", config, ({ message }) => ({
      content: [{ type: "text", text: `Echo: ${message}` }],
    }));
    return server;
  };
  const handler = createMcpHandler(factory, { legacy: "reject" });
  const http = createServer(async (request, response) => {
    const { method = "", url = "" } = request;
    const headers = request.headers as Record<string, string>;
    const body = method === "POST" ? await buffer(request) : undefined;
    const answer = await handler.fetch(
      new Request(new URL(url, "http://localhost"), { method, headers, ...(body && { body }) }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body) Readable.fromWeb(answer.body as never).pipe(response);
    else response.end();
  });
  const { origin, close } = await listen(http);
  return { url: `${origin}/mcp`, close };
}
