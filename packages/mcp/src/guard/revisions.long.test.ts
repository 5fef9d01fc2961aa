import { startEverythingServer } from "@app-registry/test-kit/everythingServer";
import type { Offered } from "@app-registry/test-kit/mcpServer";
import type { Client, ClientOptions } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, it } from "vitest";
import { connect, endAll, ends, registered } from "../../test/guardedClient.ts";
import { startModernSdkServer } from "../../test/sdkServer.ts";

afterEach(endAll);

const old = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
const modern = "2026-07-28";

const echo = {
  name: "echo",
  description: "Says it again.",
  inputSchema: { type: "object", properties: { message: { type: "string", "x-mcp-header": "Said" } } },
};
const entry = { ...registered, tools: [echo] };
const served = {
  ...entry,
  answer: (method: string, { arguments: given }: Record<string, unknown>) =>
    method === "tools/call"
      ? { content: [{ type: "text", text: `Echo: ${(given as { message: string }).message}` }] }
      : undefined,
};

const pinned = (revision: string): ClientOptions =>
  revision === modern
    ? { versionNegotiation: { mode: { pin: modern } } }
    : { supportedProtocolVersions: [revision] };

/** Expects that a client has negotiated a revision, and that the tool `echo` answers it. */
async function expectEcho(client: Client, revision: string) {
  expect(client.getNegotiatedProtocolVersion()).toBe(revision);
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("echo");
  const { content } = await client.callTool({ name: "echo", arguments: { message: revision } });
  expect(content).toEqual([{ type: "text", text: `Echo: ${revision}` }]);
}

describe("clients of all revisions", () => {
  it.each([...old, modern])("use a server of revision %s", async (revision) => {
    for (const own of [...old, modern]) {
      const { client, service } = await connect({
        client: pinned(own),
        entry,
        served: { ...served, revision },
      });
      await expectEcho(client, own);
      const methods = service.log.map(({ method }) => method);
      expect(methods.includes("initialize")).toBe(revision !== modern);
      const call = service.log.find(({ method }) => method === "tools/call");
      expect(call?.headers["mcp-protocol-version"]).toBe(revision);
      expect(call?.headers["mcp-param-said"] !== undefined).toBe(revision === modern);
    }
  });

  it.each([
    ["the reference server over Streamable HTTP", () => startEverythingServer("streamableHttp")],
    ["the reference server over HTTP+SSE", () => startEverythingServer("sse")],
    ["a server of the SDK that rejects initialize", startModernSdkServer],
  ])("use %s", async (_, start) => {
    const server = await start();
    ends.push(async () => ("stop" in server ? server.stop() : server.close()));
    for (const own of ["2025-11-25", modern]) {
      const { client } = await connect({ client: pinned(own), url: server.url, onDrift: "allow" });
      await expectEcho(client, own);
    }
  });

  it("use 2026-07-28 if they try it first", async () => {
    const { client } = await connect({ client: { versionNegotiation: { mode: "auto" } } });
    expect(client.getNegotiatedProtocolVersion()).toBe(modern);
    expect(await client.getPrompt({ name: "greet", arguments: { whom: "you" } })).toMatchObject({
      messages: [],
    });
  });
});

it.each([401, 403, 405, 500])("uses initialize if server/discover ends with HTTP %i", async (status) => {
  const raw: Offered["raw"] = ({ method }, response) => {
    if (method !== "server/discover") return false;
    response.writeHead(status).end("No");
    return true;
  };
  const { client } = await connect({ served: { raw } });
  expect((await client.listTools()).tools).toEqual(registered.tools);
});

it("reports an unsupported revision of a server in one sentence", async () => {
  await expect(connect({ served: { revision: "2099-01-01" } })).rejects.toThrow(
    /^The service doesn't support a revision of MCP that this command knows\.(?!.*2099)/,
  );
});
