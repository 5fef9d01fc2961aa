import type { ServerResponse } from "node:http";
import { type McpTestServer, startMcpServer } from "@app-registry/test-kit/mcpServer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGuardFixture, type GuardedClient, type GuardFixture } from "../../test/guardFixture.ts";

let fixture: GuardFixture;
let server: McpTestServer;
let did: string;

const pay = { name: "pay", description: "Pays a bill.", inputSchema: { type: "object" } };

/** Sends a complete response to any request. */
const sent = (status: number, type?: string, body?: string) => (_id: unknown, response: ServerResponse) =>
  response.writeHead(status, type === undefined ? {} : { "content-type": type }).end(body);

const rpc = (id: unknown, error: object) => JSON.stringify({ jsonrpc: "2.0", id, error });

/** Responses to a call that has been executed. */
const answers: [string, (id: unknown, response: ServerResponse) => unknown][] = [
  ...[400, 404, 409, 500, -32001].map(
    (code) =>
      [
        `JSON-RPC error ${code} over HTTP 200`,
        (id: unknown, response: ServerResponse) =>
          response
            .writeHead(200, { "content-type": "application/json" })
            .end(rpc(id, { code, message: "Out of stock." })),
      ] as [string, (id: unknown, response: ServerResponse) => unknown],
  ),
  ...[400, 404, 409, 500, 503].map(
    (status) =>
      [
        `JSON-RPC error over HTTP ${status}`,
        (id: unknown, response: ServerResponse) =>
          response
            .writeHead(status, { "content-type": "application/json" })
            .end(rpc(id, { code: -32000, message: "Out of stock." })),
      ] as [string, (id: unknown, response: ServerResponse) => unknown],
  ),
  ["text over HTTP 404", (_id, response) => response.writeHead(404).end("No such page")],
  ["text over HTTP 421", (_id, response) => response.writeHead(421).end("Wrong server")],
  ...[301, 302, 303, 307, 308].map(
    (status) =>
      [
        `a redirect by HTTP ${status}`,
        (_id: unknown, response: ServerResponse) => response.writeHead(status, { location: "/other" }).end(),
      ] as [string, (id: unknown, response: ServerResponse) => unknown],
  ),
  [
    "an event stream that ends without a reply",
    (_id, response) => response.writeHead(200, { "content-type": "text/event-stream" }).end(": nothing\n\n"),
  ],
  [
    "an event stream that can be resumed and is cut",
    (_id, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("id: 1\nretry: 1\ndata:\n\n", () => response.destroy());
    },
  ],
  ["a connection that is cut", (_id, response) => response.destroy()],
  [
    "an event stream with its type in capitals that ends without a reply",
    sent(200, "Text/Event-Stream", ": nothing\n\n"),
  ],
  ["HTTP 202", sent(202)],
  ["HTTP 204 with the type of an event stream", sent(204, "text/event-stream")],
  ["HTTP 205 with the type of an event stream", sent(205, "text/event-stream")],
  ["an empty event stream", sent(200, "text/event-stream")],
  ["empty JSON", sent(200, "application/json")],
  [
    "a batch",
    (id, response) => sent(200, "application/json", `[${rpc(id, { code: 1, message: "" })}]`)(id, response),
  ],
  ...[
    ["a result with another id", { id: "other", result: { content: [] } }],
    ["a notification", { method: "notifications/message", params: { level: "info", data: "" } }],
    ["a request", { id: 1, method: "sampling/createMessage", params: {} }],
    ["an error without an id", { error: { code: -32000, message: "" } }],
    ["an error for no request", { id: null, error: { code: -32000, message: "" } }],
  ].map(
    ([title, message]) =>
      [
        `JSON with ${title}`,
        sent(200, "application/json", JSON.stringify({ jsonrpc: "2.0", ...(message as object) })),
      ] as [string, (id: unknown, response: ServerResponse) => unknown],
  ),
];

const calls = () => server.log.filter(({ method }) => method === "tools/call").length;

beforeAll(async () => {
  fixture = await createGuardFixture();
  server = await startMcpServer({
    tools: [pay],
    answer: (method) => (method === "tools/call" ? { content: [{ type: "text", text: "paid" }] } : undefined),
  });
  did = await fixture.publish(server.url);
});

afterAll(async () => {
  await Promise.all([fixture.close(), server.close()]);
});

describe.each([
  ["with sessions", { revision: "2025-06-18", hasSessions: true }],
  ["without sessions", { revision: "2025-06-18", hasSessions: false }],
  ["of revision 2026-07-28", { revision: "2026-07-28" }],
])("a call to a server %s", (_title, kind) => {
  let guarded: GuardedClient;

  beforeAll(async () => {
    Object.assign(server.offered, kind);
    guarded = await fixture.connect(did);
  });

  afterAll(() => guarded.end());

  // @threat documents: A redirect, version or response that collects credentials, repeats a call or floods the client
  it.each(answers)("is executed once if the response is %s", async (_title, answer) => {
    server.offered.raw = ({ id, method }, response) => {
      if (method !== "tools/call") return false;
      answer(id, response);
      return true;
    };
    const before = calls();
    // The call ends with the guard's response, not with the client's timeout.
    await expect(guarded.client.callTool({ name: "pay" })).rejects.toThrow(/^(?!.*timed out)/i);
    server.offered.raw = undefined;
    expect(calls() - before).toBe(1);
    expect(await guarded.client.callTool({ name: "pay" })).toMatchObject({ content: [{ text: "paid" }] });
    expect(calls() - before).toBe(2);
  });
});

describe("a call whose response has HTTP status 202", () => {
  it("gets its reply", async () => {
    Object.assign(server.offered, { hasSessions: true, revision: "2025-06-18" });
    const { client, end } = await fixture.connect(did);
    server.offered.raw = ({ id, method }, response) => {
      if (method !== "tools/call") return false;
      const message = JSON.stringify({ jsonrpc: "2.0", id, result: { content: [] } });
      sent(202, "text/event-stream", `data: ${message}\n\n`)(id, response);
      return true;
    };
    expect(await client.callTool({ name: "pay" })).toEqual({ content: [] });
    server.offered.raw = undefined;
    await end();
  });
});

describe("a call after the server lost the session", () => {
  let guarded: GuardedClient;

  beforeAll(async () => {
    Object.assign(server.offered, { hasSessions: true, revision: "2025-06-18" });
    guarded = await fixture.connect(did);
  });

  afterAll(() => guarded.end());

  /** Makes the server lose its sessions at the next call. */
  function forgetAtCall(then: () => void = () => undefined) {
    server.offered.raw = ({ method }) => {
      if (method !== "tools/call") return false;
      server.offered.raw = undefined;
      server.forget();
      then();
      return false;
    };
  }

  // @threat documents: A redirect, version or response that collects credentials, repeats a call or floods the client
  it("is resent once after the lists of the new session were compared", async () => {
    forgetAtCall();
    const before = server.log.length;
    expect(await guarded.client.callTool({ name: "pay" })).toMatchObject({ content: [{ text: "paid" }] });
    const methods = server.log.slice(before).map(({ method }) => method);
    const [first, again] = [methods.indexOf("tools/call"), methods.lastIndexOf("tools/call")];
    const between = methods.slice(first + 1, again);
    expect(methods.filter((method) => method === "tools/call")).toHaveLength(2);
    expect(between.indexOf("initialize")).toBeGreaterThan(-1);
    expect(between.lastIndexOf("tools/list")).toBeGreaterThan(between.indexOf("initialize"));
  });

  // @threat documents: A redirect, version or response that collects credentials, repeats a call or floods the client
  it("is not resent if the tool differs in the new session", async () => {
    forgetAtCall(() => {
      server.offered.tools = [{ ...pay, description: "Pays a bill, twice." }];
    });
    const before = calls();
    await expect(guarded.client.callTool({ name: "pay" })).rejects.toThrow("is blocked");
    server.offered.tools = [pay];
    expect(calls() - before).toBe(1);
  });
});

describe("an endpoint that redirects to another path of its host", () => {
  it("receives a call there once", async () => {
    Object.assign(server.offered, { hasSessions: true, revision: "2025-06-18" });
    server.offered.raw = (_request, response) => {
      if (response.req.url !== "/mcp") return false;
      response.writeHead(307, { location: "/mcp/" }).end();
      return true;
    };
    const { client, end } = await fixture.connect(did);
    const paths: string[] = [];
    const redirect = server.offered.raw;
    server.offered.raw = (request, response) => {
      if (request.method === "tools/call") paths.push(response.req.url ?? "");
      return redirect(request, response);
    };
    expect(await client.callTool({ name: "pay" })).toMatchObject({ content: [{ text: "paid" }] });
    expect(paths).toEqual(["/mcp/"]);
    server.offered.raw = undefined;
    await end();
  });
});
