import { type ChildProcess, spawn } from "node:child_process";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { createGuardedFetch } from "@app-registry/sdk/issuer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { importAgentCard } from "./importAgentCard.ts";
import { importMcp } from "./importMcp.ts";

const require = createRequire(new URL("../../../../package.json", import.meta.url));
const everything = require
  .resolve("@modelcontextprotocol/server-everything/package.json")
  .replace("package.json", "dist/index.js");
const port = 18587;
const source = { guardedFetch: createGuardedFetch({ allowLoopback: true, timeout: 5_000 }) };

let mcpServer: ChildProcess;
let host: Server;
let origin: string;
const files = new Map<string, string>();

beforeAll(async () => {
  mcpServer = spawn(process.execPath, [everything, "streamableHttp"], {
    env: { ...process.env, PORT: String(port) },
  });
  const listening = new Promise<void>((resolve, reject) => {
    mcpServer.stderr?.on("data", (text) => String(text).includes("listening") && resolve());
    mcpServer.once("exit", () => reject(new Error("the MCP server ended")));
  });
  host = createServer((request, response) => {
    const body = files.get(request.url ?? "");
    const status = request.url === "/private" ? 401 : body === undefined ? 404 : 200;
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  });
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  await listening;
}, 60_000);

afterAll(() => {
  mcpServer.kill();
  host.close();
});

describe("importMcp", () => {
  it("reads the tools, resources and prompts of a real MCP server", async () => {
    const read = await importMcp(`http://127.0.0.1:${port}/mcp`, source);
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
    await expect(importMcp(`${origin}/nothing`, source)).rejects.toMatchObject({ code: "mcp-unreadable" });
  });

  it("says that a server asks for credentials", async () => {
    await expect(importMcp(`${origin}/private`, source)).rejects.toThrow(/asks for credentials/);
  });

  it("names the cause when the address may not or can't be asked", async () => {
    await expect(importMcp("https://169.254.169.254/mcp", source)).rejects.toMatchObject({
      code: "address-not-public",
    });
    await expect(importMcp("http://10.0.0.1/mcp", source)).rejects.toMatchObject({ code: "url-not-allowed" });
    await expect(importMcp("http://127.0.0.1:18588/mcp", source)).rejects.toMatchObject({
      code: "unreachable",
    });
  });
});

describe("importAgentCard", () => {
  const card = {
    name: "Planner",
    description: "Plans",
    url: "https://agent.example/a2a",
    skills: [],
    extra: { kept: 1 },
  };

  it("reads a card from its address, with every field", async () => {
    files.set("/card.json", JSON.stringify(card));
    expect(await importAgentCard(`${origin}/card.json`, source)).toEqual({
      url: `${origin}/card.json`,
      card,
    });
  });

  it("finds the card of a domain at its well-known places", async () => {
    await expect(importAgentCard(`${origin}/`, source)).rejects.toMatchObject({
      code: "http-status",
      status: 404,
    });
    files.set("/.well-known/agent.json", JSON.stringify(card));
    expect((await importAgentCard(`${origin}/`, source)).url).toBe(`${origin}/.well-known/agent.json`);
    files.set("/.well-known/agent-card.json", JSON.stringify({ ...card, name: "Newer" }));
    expect((await importAgentCard(origin, source)).card.name).toBe("Newer");
  });

  it.each([
    ["no JSON", "{", "line 1"],
    ["duplicate keys", '{"name":"a","name":"b"}', "/name"],
    ["no name", "{}", "/name"],
  ])("says what is wrong with a card of %s", async (_, body, place) => {
    files.set("/bad.json", body);
    const promise = importAgentCard(`${origin}/bad.json`, source);
    await expect(promise).rejects.toMatchObject({
      code: "agent-card-invalid",
      message: expect.stringContaining(place),
    });
  });
});
