import { request as send } from "node:http";
import { startMcpServer } from "@app-registry/test-kit/mcpServer";
import { describe, expect, it, onTestFinished } from "vitest";
import { serveSite } from "../../test/serveSite.ts";
import { createGuardedFetch } from "../fetch/guardedFetch.ts";
import { discoverService } from "./discoverService.ts";

const source = { guardedFetch: createGuardedFetch({ allowLoopback: true, timeout: 10_000 }) };

describe("discoverService, with an MCP server behind a redirect", () => {
  it.each([301, 302, 307, 308])("reads the server to which a %i leads", async (status) => {
    const tools = [{ name: "t", inputSchema: { type: "object" } }];
    const { url, close } = await startMcpServer({ tools, hasSessions: false });
    onTestFinished(close);
    const { origin } = await serveSite({}, (request, response): void => {
      if (request.url === "/mcp") return void response.writeHead(status, { location: "/mcp/" }).end();
      if (request.url !== "/mcp/") return void response.writeHead(404).end();
      const { method, headers } = request;
      request.pipe(
        send(url, { method, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(response);
        }),
      );
    });
    const { findings, needsChoice } = await discoverService(`${origin}/mcp`, source);
    expect(findings[0]).toMatchObject({ kind: "mcp", offers: ["1 tool"] });
    expect(needsChoice).toBeUndefined();
  });
});
