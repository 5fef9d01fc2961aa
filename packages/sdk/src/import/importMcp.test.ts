import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serveHttp } from "../../test/httpServer.ts";
import { type EverythingServer, startEverythingServer } from "../../test/support/everythingServer.ts";
import { countTcpConnections } from "../../test/support/tcpConnections.ts";
import { createGuardedFetch } from "../issuer/guardedFetch.ts";
import { importMcp } from "./importMcp.ts";

const source = { guardedFetch: createGuardedFetch({ allowLoopback: true, timeout: 30_000 }) };

let server: EverythingServer;

beforeAll(async () => {
  server = await startEverythingServer();
});

afterAll(() => server.stop());

describe("importMcp", () => {
  it("reads the tools, resources and prompts of a real MCP server", async () => {
    const read = await importMcp(server.url, source);
    expect(read).toMatchObject({ transport: "streamable-http", server: { name: "mcp-servers/everything" } });
    expect(read.tools.length).toBeGreaterThanOrEqual(10);
    expect(read.tools.find(({ name }) => name === "echo")).toMatchObject({
      inputSchema: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
    });
    expect(read.resources.every(({ uri }) => uri.includes("://"))).toBe(true);
    expect(read.prompts.find(({ name }) => name === "args-prompt")?.arguments?.[0]).toMatchObject({
      required: true,
    });
  });

  it("says that an address is no MCP server", async () => {
    const origin = await serveHttp((_, response) => response.writeHead(404).end());
    await expect(importMcp(`${origin}/nothing`, source)).rejects.toMatchObject({ code: "mcp-unreadable" });
  });

  it("says that a server asks for credentials", async () => {
    const origin = await serveHttp((_, response) => response.writeHead(401).end());
    await expect(importMcp(`${origin}/private`, source)).rejects.toThrow(/asks for credentials/);
  });

  it("names the cause when the address may not or can't be asked", async () => {
    await expect(importMcp("https://169.254.169.254/mcp", source)).rejects.toMatchObject({
      code: "address-not-public",
    });
    await expect(importMcp("http://10.0.0.1/mcp", source)).rejects.toMatchObject({ code: "url-not-allowed" });
    await expect(importMcp("http://127.0.0.1:18769/mcp", source)).rejects.toMatchObject({
      code: "unreachable",
    });
  });

  it("opens no socket to another host that a server redirects to", async () => {
    const origin = await serveHttp((_, response) =>
      response.writeHead(307, { location: "https://10.0.0.1/mcp" }).end(),
    );
    const connections = countTcpConnections();
    await expect(importMcp(`${origin}/mcp`, source)).rejects.toMatchObject({ code: "mcp-unreadable" });
    connections.stop();
    // The one to the server that redirects.
    expect(connections.count()).toBe(1);
  });

  it("posts nothing to the other host that an event stream names as its endpoint", async () => {
    let visits = 0;
    const other = await serveHttp((_, response) => {
      visits += 1;
      response.end();
    });
    const origin = await serveHttp((request, response) => {
      if (request.method === "POST") {
        response.writeHead(404).end();
        return;
      }
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`event: endpoint\ndata: ${other}/messages\n\n`);
    });
    await expect(importMcp(`${origin}/sse`, source)).rejects.toMatchObject({ code: "mcp-unreadable" });
    expect(visits).toBe(0);
  });
});
