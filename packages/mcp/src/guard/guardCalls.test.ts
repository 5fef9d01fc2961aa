import type { ServerResponse } from "node:http";
import type { McpRequest, McpTestServer } from "@app-registry/test-kit/mcpServer";
import { afterEach, describe, expect, it } from "vitest";
import {
  call,
  connect,
  endAll,
  listed,
  onCall,
  read,
  refusal,
  registered,
  send,
  stream,
} from "../../test/guardedClient.ts";

afterEach(endAll);

const MAY_HAVE = "The request may have been carried out.";
const json = { "content-type": "application/json" };
const result = (id: unknown) => ({
  jsonrpc: "2.0",
  id,
  result: { content: [{ type: "text", text: "done" }] },
});
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

/** Sends a complete response to any request. */
const sent =
  (status: number, type?: string, body?: string) => (_request: McpRequest, response: ServerResponse) =>
    response.writeHead(status, type === undefined ? {} : { "content-type": type }).end(body);
/** Sends a JSON-RPC error as the response to a request. */
const rejected =
  (status: number, code: number) =>
  ({ id }: McpRequest, response: ServerResponse) =>
    response
      .writeHead(status, json)
      .end(JSON.stringify({ jsonrpc: "2.0", id, error: { code, message: "No." } }));
const message = (body: object) =>
  sent(200, json["content-type"], JSON.stringify({ jsonrpc: "2.0", ...body }));

/** Responses to a call that has been executed, by their description. */
const answers: Record<string, (request: McpRequest, response: ServerResponse) => unknown> = {
  ...Object.fromEntries(
    [400, 404, 409, 500, -32001].map((code) => [`JSON-RPC error ${code} over HTTP 200`, rejected(200, code)]),
  ),
  ...Object.fromEntries(
    [400, 404, 409, 500, 503].map((status) => [
      `JSON-RPC error over HTTP ${status}`,
      rejected(status, -32_000),
    ]),
  ),
  ...Object.fromEntries(
    [404, 421].map((status) => [`text over HTTP ${status}`, sent(status, undefined, "No")]),
  ),
  ...Object.fromEntries(
    [301, 302, 303, 307, 308].map((status) => [
      `a redirect by HTTP ${status}`,
      (_request: McpRequest, response: ServerResponse) =>
        response.writeHead(status, { location: "/other" }).end(),
    ]),
  ),
  "an event stream that ends without a reply": sent(200, "text/event-stream", ": nothing\n\n"),
  "such a stream with its type in capitals": sent(200, "Text/Event-Stream", ": nothing\n\n"),
  "an empty event stream": sent(200, "text/event-stream"),
  "an event stream that can be resumed and is cut": (_request, response) =>
    stream(response).write("id: 1\nretry: 1\ndata:\n\n", () => response.destroy()),
  "a connection that is cut": (_request, response) => response.destroy(),
  "HTTP 202": sent(202),
  "HTTP 204 with the type of an event stream": sent(204, "text/event-stream"),
  "HTTP 205 with the type of an event stream": sent(205, "text/event-stream"),
  "empty JSON": sent(200, "application/json"),
  "a batch": ({ id }, response) => response.writeHead(200, json).end(JSON.stringify([result(id)])),
  "a result with another id": message({ id: "other", result: { content: [] } }),
  "a notification": message({ method: "notifications/message", params: { level: "info", data: "" } }),
  "a request": message({ id: 1, method: "sampling/createMessage", params: {} }),
  "an error without an id": message({ error: { code: -32_000, message: "" } }),
  "an error for no request": message({ id: null, error: { code: -32_000, message: "" } }),
};

describe.each([
  ["with sessions", { revision: "2025-06-18", hasSessions: true }],
  ["without sessions", { revision: "2025-06-18", hasSessions: false }],
  ["of revision 2026-07-28", { revision: "2026-07-28" }],
])("a call to a server %s", (_title, served) => {
  // @threat documents: A redirect, version or response that collects credentials, repeats a call or floods the client
  it("is executed once, also if its response is no result", async () => {
    const { client, service } = await connect({ served });
    for (const [title, answer] of Object.entries(answers)) {
      const before = calls(service);
      onCall(service, answer);
      // The call ends with the guard's response, not with the client's timeout.
      expect((await refusal(client, "send_email"))?.message, title).toMatch(/^(?!.*timed out)/i);
      expect(calls(service) - before, title).toBe(1);
      service.offered.raw = undefined;
      expect(await call(client, "send_email"), title).toMatchObject({
        content: [{ text: "did send_email" }],
      });
      expect(calls(service) - before, title).toBe(2);
    }
  });
});

describe("a call whose response has HTTP status 202", () => {
  it("gets its reply", async () => {
    const { client, service } = await connect();
    onCall(service, (request, response) =>
      sent(202, "text/event-stream", `data: ${JSON.stringify(result(request.id))}\n\n`)(request, response),
    );
    expect(await call(client, "send_email")).toMatchObject({ content: [{ text: "done" }] });
  });
});

describe("a call after the server lost the session", () => {
  /** Makes the server lose its sessions at the next call. */
  async function forgetAtCall(then: (service: McpTestServer) => void = () => undefined) {
    const { client, service } = await connect();
    await listed(client);
    service.log.length = 0;
    service.offered.raw = ({ method }) => {
      if (method !== "tools/call") return false;
      service.offered.raw = undefined;
      service.forget();
      then(service);
      return false;
    };
    return { client, service };
  }

  // @threat documents: A redirect, version or response that collects credentials, repeats a call or floods the client
  it("is resent once after the lists of the new session were compared", async () => {
    const { client, service } = await forgetAtCall();
    expect(await call(client, "send_email")).toMatchObject({ content: [{ text: "did send_email" }] });
    expect(calls(service)).toBe(2);
    const names = methods(service);
    const between = names.slice(names.indexOf("tools/call") + 1, names.lastIndexOf("tools/call"));
    expect(between.indexOf("initialize")).toBeGreaterThan(-1);
    expect(between.lastIndexOf("tools/list")).toBeGreaterThan(between.indexOf("initialize"));
  });

  // @threat documents: A redirect, version or response that collects credentials, repeats a call or floods the client
  it("is not resent if the tool differs in the new session", async () => {
    const { client, service } = await forgetAtCall(({ offered }) => {
      offered.tools = [{ ...send, description: "Sends an email, twice." }, read];
    });
    expect((await refusal(client, "send_email"))?.message).toContain("is blocked");
    expect(calls(service)).toBe(1);
  });
});

describe("an endpoint that redirects to another path of its host", () => {
  it("receives a call there once", async () => {
    const { client, service } = await connect();
    const paths: string[] = [];
    service.offered.raw = ({ method }, response) => {
      const { url = "" } = response.req;
      if (method === "tools/call") paths.push(url);
      if (url !== "/mcp") return false;
      response.writeHead(307, { location: "/mcp/" }).end();
      return true;
    };
    expect(await call(client, "send_email")).toMatchObject({ content: [{ text: "did send_email" }] });
    expect(paths).toEqual(["/mcp/"]);
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
            `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}}}`,
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
