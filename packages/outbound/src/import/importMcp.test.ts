import type { ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { type EverythingServer, startEverythingServer } from "@app-registry/test-kit/everythingServer";
import { serveHttp } from "@app-registry/test-kit/httpServer";
import { type Offered, startMcpServer } from "@app-registry/test-kit/mcpServer";
import { countTcpConnections } from "@app-registry/test-kit/tcpConnections";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createGuardedFetch } from "../fetch/guardedFetch.ts";
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

  it("reports that a URL is not an MCP server", async () => {
    const origin = await serveHttp((_, response) => response.writeHead(404).end());
    await expect(importMcp(`${origin}/nothing`, source)).rejects.toMatchObject({ code: "mcp-unreadable" });
  });

  it("reports that a server requires credentials", async () => {
    const origin = await serveHttp((_, response) => response.writeHead(401).end());
    await expect(importMcp(`${origin}/private`, source)).rejects.toThrow(/requires credentials/);
  });

  it("reports the cause if the URL is not allowed or unreachable", async () => {
    await expect(importMcp("https://169.254.169.254/mcp", source)).rejects.toMatchObject({
      code: "address-not-public",
    });
    await expect(importMcp("http://127.0.0.1:18769/mcp", source)).rejects.toMatchObject({
      code: "unreachable",
    });
  });

  // @threat services: A DID, host, name, redirect or record that leads to a private address
  it("opens no socket to another host after a redirect", async () => {
    const sockets = new Set<unknown>();
    const origin = await serveHttp((request, response) => {
      sockets.add(request.socket);
      response.writeHead(307, { location: "https://10.0.0.1/mcp" }).end();
    });
    const connections = countTcpConnections();
    await expect(importMcp(`${origin}/mcp`, source)).rejects.toMatchObject({ code: "mcp-unreadable" });
    connections.stop();
    // All names resolve to the server that redirects.
    expect(connections.count()).toBe(sockets.size);
  });

  // @threat services: A DID, host, name, redirect or record that leads to a private address
  it("sends nothing to another host that an event stream gives as its endpoint", async () => {
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

// @threat services: A host whose answer is hostile, huge or never ends
it.each([
  ["a large document", "application/json", "mcp-unreadable"],
  ["a large event stream without an event", "text/event-stream", "too-large"],
])("importMcp ends at once if a server without POST serves %s", async (_, type, code) => {
  const origin = await serveHttp((request, response) => {
    if (request.method === "POST") return void response.writeHead(404).end();
    response.writeHead(200, { "content-type": type }).write("a".repeat(3_000_000));
  });
  await expect(importMcp(`${origin}/mcp`, source)).rejects.toMatchObject({ code });
});

type Rpc = { id?: number; method?: string };

/** Starts an MCP server whose response to `tools/list` is set by the test. */
async function serveTools(answer: (response: ServerResponse, id: number) => void) {
  const asked: Rpc[] = [];
  const origin = await serveHttp(async (request, response) => {
    const body = await text(request);
    if (body === "") return void response.writeHead(405).end();
    const message: Rpc = JSON.parse(body);
    asked.push(message);
    const { id, method } = message;
    if (id === undefined || method === undefined) return void response.writeHead(202).end();
    if (method === "tools/list") return answer(response, id);
    const serverInfo = { name: "hostile", version: "1" };
    const result = { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo };
    sendJson(response, JSON.stringify({ jsonrpc: "2.0", id, result }));
  });
  return { url: `${origin}/mcp`, asked };
}

const sendJson = (response: ServerResponse, body: string) =>
  void response.writeHead(200, { "content-type": "application/json" }).end(body);
const events = { "content-type": "text/event-stream" };

describe("importMcp, with a hostile server", () => {
  // @threat services: A host whose answer is hostile, huge or never ends
  it("ends within the time limit even if the server restarts its stream repeatedly", async () => {
    const { url } = await serveTools((response) =>
      response.writeHead(200, events).end("id: 1\nretry: 0\ndata:\n\n"),
    );
    const guardedFetch = createGuardedFetch({ allowLoopback: true, timeout: 1_000 });
    await expect(importMcp(url, { guardedFetch })).rejects.toMatchObject({ code: "timeout" });
  });

  // @threat services: A host whose answer is hostile, huge or never ends
  it("sends at most 100 requests regardless of the responses", async () => {
    const ping = 'data: {"jsonrpc":"2.0","id":7,"method":"ping"}\n\n';
    const { url, asked } = await serveTools((response) =>
      response.writeHead(200, events).end(ping.repeat(2_000)),
    );
    await expect(importMcp(url, source)).rejects.toMatchObject({ code: "too-many-requests" });
    expect(asked.length).toBeLessThanOrEqual(100);
  });

  it("reads an unsupported revision from an error message of several lines", async () => {
    const protocolVersion = `2099-01-01${"\nprotocol version is not supported: ".repeat(3)}\n`;
    const origin = await serveHttp(async (request, response) => {
      const { id, method } = JSON.parse((await text(request)) || "{}");
      if (method !== "initialize") return response.writeHead(404).end();
      const result = { protocolVersion, capabilities: {}, serverInfo: { name: "a", version: "1" } };
      return sendJson(response, JSON.stringify({ jsonrpc: "2.0", id, result }));
    });
    await expect(importMcp(`${origin}/mcp`, source)).rejects.toMatchObject({ code: "mcp-revision-unknown" });
  });

  it("does not treat the code of a JSON-RPC error as an HTTP status", async () => {
    const { url } = await serveTools((response, id) =>
      sendJson(response, `{"jsonrpc":"2.0","id":${id},"error":{"code":401,"message":"No tools here"}}`),
    );
    const error: unknown = await importMcp(url, source).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: "mcp-unreadable", speaks: true });
    expect(String(error)).not.toMatch(/credentials|\b401\b/);
  });

  // @threat services: A host whose answer is hostile, huge or never ends
  it.each([
    [
      "a batch of messages",
      (id: number) => `[${Array(5_000).fill(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`)}]`,
    ],
    [
      "lists that nest without end",
      (id: number) => {
        const schema = `{"type":"object","x":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
        return `{"jsonrpc":"2.0","id":${id},"result":{"tools":[{"name":"a","inputSchema":${schema}}]}}`;
      },
    ],
  ])("rejects %s", async (_, body) => {
    const { url, asked } = await serveTools((response, id) => sendJson(response, body(id)));
    await expect(importMcp(url, source)).rejects.toMatchObject({ code: "mcp-unreadable" });
    expect(asked.length).toBeLessThan(10);
  });
});

describe("importMcp, with entries that no record can contain", () => {
  const good = { name: "good", inputSchema: { type: "object" } };
  const deep = JSON.parse(`${"[".repeat(100)}${"]".repeat(100)}`);
  const imported = async (offered: Partial<Offered>) => {
    const { url, close } = await startMcpServer({ tools: [], ...offered });
    onTestFinished(close);
    return importMcp(url, source);
  };

  it.each<[tool: object, reason: RegExp]>([
    [{ name: "bad" }, /^inputSchema: expected object/],
    [{ name: "bad", inputSchema: "none" }, /^inputSchema: expected object/],
    [{ name: "bad", inputSchema: {} }, /^inputSchema\.type: expected "object"$/],
    [{ name: "bad", inputSchema: null }, /^inputSchema: /],
    [{ inputSchema: { type: "object" } }, /^name: expected string/],
    [{ ...good, name: "bad", annotations: "none" }, /^annotations: /],
    [{ ...good, name: "bad", title: 5 }, /^title: expected string/],
    [{ ...good, name: "bad", description: "x".repeat(10_001) }, /^description: At most 10,000 characters/],
    [{ ...good, name: "bad\u202e" }, /^name: Control characters and text direction marks/],
    [{ ...good, name: "bad", inputSchema: { type: "object", title: "\u2066" } }, /text direction marks/],
    [{ ...good, name: "bad", inputSchema: { type: "object", deep } }, /^nested too deeply$/],
    [{ ...good, description: "another" }, /^an earlier one has the same name$/],
  ])("leaves out the tool %j and lists the others", async (bad, reason) => {
    const { tools, leftOut } = await imported({ tools: [good, bad, { ...good, name: "last" }] });
    expect(tools.map(({ name }) => name)).toEqual(["good", "last"]);
    expect(leftOut).toMatchObject([{ list: "tools", reason: expect.stringMatching(reason) }]);
  });

  it("leaves out a resource, a template and a prompt", async () => {
    const read = await imported({
      tools: [good],
      resources: [
        { uri: 5, name: "bad" },
        { uri: "docs://a", name: "a" },
      ],
      resourceTemplates: [{ uriTemplate: "docs://{a}" }, { uriTemplate: "docs://{b}", name: "b" }],
      prompts: [{ name: "bad", arguments: [{ name: 5 }] }, { name: "good" }],
    });
    expect(read.tools).toHaveLength(1);
    expect(read.resources.map(({ uri }) => uri)).toEqual(["docs://a"]);
    expect(read.resourceTemplates.map(({ name }) => name)).toEqual(["b"]);
    expect(read.prompts.map(({ name }) => name)).toEqual(["good"]);
    expect(read.leftOut.map(({ list, reason }) => `${list} ${reason}`)).toEqual([
      expect.stringMatching(/^resources uri: expected string/),
      expect.stringMatching(/^resourceTemplates name: expected string/),
      expect.stringMatching(/^prompts arguments\.0\.name: expected string/),
    ]);
  });

  // @threat services: A host whose answer is hostile, huge or never ends
  it("reads 10,000 tools of which every second is invalid, and keeps as many as a record has room for", async () => {
    const tools = Array.from({ length: 10_000 }, (_, index) =>
      index % 2 ? { name: `t${index}` } : { ...good, name: `t${index}` },
    );
    const guardedFetch = createGuardedFetch({ allowLoopback: true, timeout: 30_000, maxBytes: 2 ** 21 });
    const { url, close } = await startMcpServer({ tools });
    onTestFinished(close);
    const read = await importMcp(url, { guardedFetch });
    expect(read.tools).toHaveLength(1_000);
    expect(read.leftOut).toHaveLength(9_000);
    expect(read.leftOut.at(-2)?.reason).toBe("a record has room for 1000");
  });
});

describe("importMcp, with a list that can't be read", () => {
  const reason = async (offered: Partial<Offered>) => {
    const { url, close } = await startMcpServer({ tools: [], ...offered });
    onTestFinished(close);
    return importMcp(url, source).then(
      () => "",
      ({ code, shortMessage }) => `${code}: ${shortMessage.replace(url, "It")}`,
    );
  };
  const failing = (failed: string) => (method: string) =>
    method === failed ? { code: -32_603, message: "No \u202edatabase" } : undefined;

  it("names the list and the server's error, escaped", async () => {
    expect(await reason({ fail: failing("prompts/list") })).toMatch(
      /^mcp-unreadable: It is an MCP server, but its list of prompts can't be read: .*No \\u\{202e\}database/,
    );
  });

  it("names the list of an answer without one", async () => {
    expect(
      await reason({ answer: (method) => (method === "tools/list" ? { tools: "none" } : undefined) }),
    ).toMatch(/^mcp-unreadable: It is an MCP server, but its list of tools can't be read: /);
  });

  // @threat services: A host whose answer is hostile, huge or never ends
  it("names the list of a tool whose schema has 5 MB", async () => {
    const inputSchema = { type: "object", description: "x".repeat(5_000_000) };
    expect(await reason({ tools: [{ name: "large", inputSchema }] })).toMatch(
      /^too-large: It is an MCP server, but its list of tools can't be read: .* is larger than 1,048,576 bytes\.$/,
    );
  });
});
