import type { ServerResponse } from "node:http";
import type { McpRequest, McpTestServer } from "@app-registry/test-kit/mcpServer";
import { afterEach, describe, expect, it } from "vitest";
import { call, connect, endAll, listed, refusal, registered } from "../../test/guardedClient.ts";

afterEach(endAll);

const MAY_HAVE = "The request may have been carried out.";
const json = { "content-type": "application/json" };
const result = (id: unknown) => ({
  jsonrpc: "2.0",
  id,
  result: { content: [{ type: "text", text: "done" }] },
});
const stream = (response: ServerResponse) => response.writeHead(200, { "content-type": "text/event-stream" });

/** Answers calls, and all other requests as usual. */
function onCall(service: McpTestServer, answer: (request: McpRequest, response: ServerResponse) => unknown) {
  service.offered.raw = (request, response) => {
    if (request.method !== "tools/call") return false;
    answer(request, response);
    return true;
  };
}

const methods = (service: McpTestServer) => service.log.map(({ method }) => method);
const calls = (service: McpTestServer) => methods(service).filter((method) => method === "tools/call").length;

describe("a call whose event stream ends after an event with an id", () => {
  /** Ends the stream of each call after a first event, and answers requests that resume it. */
  async function resume(answer: (lastId: string, response: ServerResponse, id: unknown) => unknown) {
    const connected = await connect();
    const { service } = connected;
    let id: unknown;
    service.offered.raw = (request, response) => {
      const lastId = response.req.headers["last-event-id"];
      if (response.req.method === "GET" && lastId !== undefined) {
        answer(String(lastId), response, id);
        return true;
      }
      if (request.method !== "tools/call") return false;
      id = request.id;
      stream(response).end("id: a-1\r\nretry: 1\r\ndata:\r\n\r\n");
      return true;
    };
    return connected;
  }

  it("is resumed with the id until the answer arrives, and sent once", async () => {
    const lastIds: string[] = [];
    const { client, service } = await resume((lastId, response, id) => {
      lastIds.push(lastId);
      if (lastIds.length < 3) stream(response).end(`id: a-${lastIds.length + 1}\ndata:\n\n`);
      else stream(response).end(`id: a-9\ndata: ${JSON.stringify(result(id))}\n\n`);
    });
    expect(await call(client, "send_email")).toMatchObject({ content: [{ text: "done" }] });
    expect(lastIds).toEqual(["a-1", "a-2", "a-3"]);
    expect(calls(service)).toBe(1);
    const resumed = service.log.findLast(({ method }) => method === "GET");
    expect(resumed?.headers["mcp-session-id"]).toBe("1");
    expect(resumed?.headers.accept).toBe("text/event-stream");
  });

  it.each([
    ["can't be resumed", (response: ServerResponse) => response.writeHead(405).end()],
    ["is resumed without any news", (response: ServerResponse) => stream(response).end()],
    ["is resumed by something else", (response: ServerResponse) => response.writeHead(200, json).end("{}")],
  ])("fails if the stream %s", async (_title, answer) => {
    const { client, service } = await resume((_lastId, response) => answer(response));
    expect((await refusal(client, "send_email"))?.message).toContain(MAY_HAVE);
    expect(calls(service)).toBe(1);
  });

  it("is not resumed from an event that was cut", async () => {
    const { client, service } = await connect();
    onCall(service, (_request, response) => stream(response).end("id: 1\ndata: half"));
    expect((await refusal(client, "send_email"))?.message).toContain(MAY_HAVE);
    expect(service.log.some(({ headers }) => headers["last-event-id"] !== undefined)).toBe(false);
  });
});

describe("a call that left and has no answer", () => {
  it.each<[string, (request: McpRequest, response: ServerResponse) => unknown]>([
    ["the connection is cut", (_request, response) => response.destroy()],
    [
      "the answer is cut",
      (_request, response) => response.writeHead(200, json).write("{", () => response.destroy()),
    ],
    [
      "the answer is too large",
      ({ id }, response) =>
        response.writeHead(200, json).end(`${JSON.stringify(result(id))}${" ".repeat(9_000_000)}`),
    ],
    ["a gateway responds with HTTP 504", (_request, response) => response.writeHead(504).end()],
    [
      "the answer is not a result of a call",
      ({ id }, response) =>
        response.writeHead(200, json).end(JSON.stringify({ jsonrpc: "2.0", id, result: { content: 1 } })),
    ],
    [
      "the answer is nested too deeply",
      ({ id }, response) =>
        response
          .writeHead(200, json)
          .end(
            `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":{"a":${"[".repeat(5_000)}${"]".repeat(5_000)}}}}`,
          ),
    ],
  ])("says that it may have been carried out if %s", async (_title, answer) => {
    const { client, service } = await connect();
    onCall(service, answer);
    expect((await refusal(client, "send_email"))?.message).toContain(MAY_HAVE);
    expect(calls(service)).toBe(1);
  });

  it.each([400, 403, 404, 429])(
    "says nothing of the kind for HTTP %i, which is an answer",
    async (status) => {
      const { client, service } = await connect();
      onCall(service, (_request, response) => response.writeHead(status).end());
      expect((await refusal(client, "send_email"))?.message).toMatch(
        new RegExp(`HTTP ${status}(?!.*may have)`),
      );
    },
  );

  it("says nothing of the kind if the server can't be reached", async () => {
    const { client, service } = await connect();
    await service.close();
    expect((await refusal(client, "send_email"))?.message).toMatch(
      /Couldn't reach the service\.(?!.*may have)/,
    );
  });
});

describe("a guarded server", () => {
  it.each([
    ["2026-07-28", { revision: "2025-06-18" }],
    ["2026-07-28", { revision: "2025-06-18", hasSessions: false }],
    ["2025-06-18", { revision: "2026-07-28" }],
  ])("that changes from revision %s to %j is connected again", async (revision, next) => {
    const { client, service } = await connect({ served: { revision } });
    expect((await listed(client)).tools).toEqual(registered.tools);
    Object.assign(service.offered, next);
    expect(await call(client, "send_email")).toMatchObject({ content: [{ text: "did send_email" }] });
    expect((await listed(client)).tools).toEqual(registered.tools);
    expect(calls(service)).toBe(1);
  });

  it("has its session deleted at the end", async () => {
    const { client, service, guard } = await connect({ headers: { authorization: "Bearer secret" } });
    await listed(client);
    await guard.close();
    const ended = service.log.find(({ method }) => method === "DELETE");
    expect(ended?.headers).toMatchObject({ "mcp-session-id": "1", authorization: "Bearer secret" });
  });

  // @threat documents: A redirect, version or response that collects credentials, repeats a call or floods the client
  it("that keeps 300 calls open still has its lists read", async () => {
    const { client, service } = await connect();
    const held: ServerResponse[] = [];
    onCall(service, (_request, response) => held.push(response));
    const waiting = Promise.allSettled(Array.from({ length: 300 }, () => call(client, "send_email")));
    await expect.poll(() => held.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(256);
    expect((await listed(client)).tools).toEqual(registered.tools);
    service.offered.raw = undefined;
    for (const response of held) response.destroy();
    await waiting;
  });

  it("has no _meta of its results passed", async () => {
    const { client, service, heard } = await connect();
    const _meta = {
      "evil.example/x": "EXFILTRATE",
      "io.modelcontextprotocol/serverInfo": { name: "EXFILTRATE" },
    };
    const text = { type: "text", text: "done", _meta };
    const resource = { uri: "docs://manual", text: "page", _meta };
    service.offered.answer = (method) => {
      if (method === "tools/call") return { _meta, content: [text, { type: "resource", resource, _meta }] };
      if (method === "resources/read") return { _meta, contents: [resource] };
      if (method === "prompts/get") return { _meta, messages: [{ role: "user", content: text, _meta }] };
      return undefined;
    };
    expect((await call(client, "send_email")).content).toHaveLength(2);
    expect((await client.readResource({ uri: "docs://manual" })).contents).toHaveLength(1);
    expect((await client.getPrompt({ name: "greet", arguments: { whom: "you" } })).messages).toHaveLength(1);
    expect(heard()).not.toContain("EXFILTRATE");
  });
});
