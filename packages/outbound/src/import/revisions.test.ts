import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { serveHttp } from "@app-registry/test-kit/httpServer";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { createGuardedFetch } from "../fetch/guardedFetch.ts";
import { probeEndpoint } from "../probe/probeEndpoint.ts";
import { importMcp } from "./importMcp.ts";

const guardedFetch = createGuardedFetch({ allowLoopback: true, timeout: 20_000 });

const tools = [{ name: "echo", description: "Says it again.", inputSchema: { type: "object" } }];
const serverInfo = { name: "revisions", version: "1.0.0" };

type Message = { id?: number | string; method?: string; params?: Record<string, unknown> };
type Exchange = { request: IncomingMessage; response: ServerResponse; message: Message };
type Answer = (exchange: Exchange) => unknown;

const send = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
const result = ({ response, message: { id } }: Exchange, value: object) =>
  send(response, 200, { jsonrpc: "2.0", id, result: value });
const refuse =
  (status: number, code: number, data?: object): Answer =>
  ({ response, message: { id } }) =>
    send(response, status, {
      jsonrpc: "2.0",
      id,
      error: { code, message: "Refused", ...(data && { data }) },
    });
const plain =
  (status: number, headers: Record<string, string> = {}): Answer =>
  ({ response }) =>
    response.writeHead(status, headers).end();
const events =
  (body: string): Answer =>
  ({ response }) =>
    response.writeHead(200, { "content-type": "text/event-stream" }).end(body);
const unsupported = (...supported: string[]) => refuse(400, -32_022, { supported, requested: "?" });

/** Responds to messages by their method, and to all others with `rest`. */
const byMethod =
  (methods: Record<string, Answer>, rest: Answer = refuse(404, -32_601)): RequestListener =>
  async (request, response) => {
    const body = await text(request);
    if (request.method !== "POST") return void response.writeHead(405).end();
    const message: Message = JSON.parse(body);
    const answer = Object.hasOwn(methods, message.method ?? "") ? methods[message.method ?? ""] : rest;
    (answer ?? rest)({ request, response, message });
  };

const complete = { resultType: "complete", ttlMs: 0, cacheScope: "public" };
const _meta = { "io.modelcontextprotocol/serverInfo": serverInfo };

/** Server of the revision without a handshake. It requires the headers and `_meta` of that revision. */
const stateless = (methods: Record<string, Answer> = {}): RequestListener => {
  const strict =
    (answer: Answer): Answer =>
    (exchange) => {
      const { params, method } = exchange.message;
      const { "mcp-protocol-version": header, "mcp-method": named } = exchange.request.headers;
      const meta = params?._meta as Record<string, unknown> | undefined;
      const revision = meta?.["io.modelcontextprotocol/protocolVersion"];
      if (revision !== "2026-07-28") return unsupported("2026-07-28")(exchange);
      if (header !== revision || named !== method) return refuse(400, -32_020)(exchange);
      return answer(exchange);
    };
  const own: Record<string, Answer> = {
    "server/discover": (exchange) =>
      result(exchange, {
        ...{ ...complete, _meta, supportedVersions: ["2026-07-28"], capabilities: { tools: {} } },
      }),
    "tools/list": (exchange) => result(exchange, { ...complete, tools }),
    ...methods,
  };
  const checked = Object.entries(own).map(([method, answer]) => [method, strict(answer)]);
  return byMethod(Object.fromEntries(checked), strict(refuse(404, -32_601)));
};

/** Server with a handshake and sessions. It responds with `early` to requests before the handshake. */
const withHandshake = (revision: string, early: Answer = refuse(400, -32_000)): RequestListener => {
  const sessions = new Set<string>();
  const inSession =
    (answer: Answer): Answer =>
    (exchange) =>
      sessions.has(String(exchange.request.headers["mcp-session-id"])) ? answer(exchange) : early(exchange);
  return byMethod(
    {
      initialize(exchange) {
        const session = randomUUID();
        sessions.add(session);
        exchange.response.setHeader("mcp-session-id", session);
        result(exchange, { protocolVersion: revision, capabilities: { tools: {} }, serverInfo });
      },
      "notifications/initialized": plain(202),
      "tools/list": inSession((exchange) => result(exchange, { tools })),
    },
    inSession(refuse(200, -32_601)),
  );
};

/** Server of 2024-11-05: clients post requests and get the replies on one event stream. */
const withEventStream = (): RequestListener => {
  let stream: ServerResponse | undefined;
  const answers: Record<string, object> = {
    initialize: { protocolVersion: "2024-11-05", capabilities: { tools: {} }, serverInfo },
    "tools/list": { tools },
  };
  return async (request, response) => {
    if (request.method === "GET") {
      stream = response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("event: endpoint\ndata: /messages\n\n");
      return;
    }
    if (request.url !== "/messages") return void response.writeHead(405).end();
    const { id, method = "" }: Message = JSON.parse(await text(request));
    response.writeHead(202).end();
    const body = JSON.stringify({ jsonrpc: "2.0", id, result: answers[method] });
    if (id !== undefined) stream?.write(`event: message\ndata: ${body}\n\n`);
  };
};

/** Server of the MCP SDK. */
const ofSdk = (legacy: "reject" | "stateless"): RequestListener => {
  const handler = createMcpHandler(
    () => {
      const server = new McpServer(serverInfo);
      server.registerTool("echo", { description: "Says it again." }, () => ({ content: [] }));
      return server;
    },
    { legacy },
  );
  return async (request, response) => {
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
    const asked = new Request(`http://${request.headers.host}${request.url}`, {
      ...{ method: request.method ?? "GET", headers: headers as [string, string][] },
      ...(request.method === "POST" && { body: await text(request) }),
    });
    const answer = await handler.fetch(asked);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  };
};

const nested = `${'{"result":'.repeat(5_000)}1${"}".repeat(5_000)}`;
const inName = (exchange: Exchange, supportedVersions: string[]) =>
  result(exchange, { ...complete, supportedVersions, capabilities: {} });

/** Expected revision or error code of an import, outcome of a live check, and its maximum number of requests. */
const table: [
  server: string,
  listener: () => RequestListener,
  read: string,
  outcome: string,
  most: number,
][] = [
  ["2026-07-28", () => stateless(), "2026-07-28", "answers", 2],
  ["2026-07-28 of the SDK, which refuses initialize", () => ofSdk("reject"), "2026-07-28", "answers", 2],
  ["both of the SDK", () => ofSdk("stateless"), "2026-07-28", "answers", 2],
  [
    "2026-07-28, without cache hints, resultType and _meta, as an event stream",
    () =>
      stateless({
        "server/discover": (exchange) =>
          events(
            `: hello\r\n\r\nid: 1\r\ndata: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\r\n\r\ndata: ${JSON.stringify(
              {
                ...{ jsonrpc: "2.0", id: exchange.message.id },
                result: { supportedVersions: ["2027-01-01", "2026-07-28"], capabilities: { tools: {} } },
              },
            )}\r\n\r\n`,
          )(exchange),
      }),
    ...(["2026-07-28", "answers", 2] as const),
  ],
  ["2025-11-25", () => withHandshake("2025-11-25"), "2025-11-25", "answers", 5],
  ["2025-06-18", () => withHandshake("2025-06-18"), "2025-06-18", "answers", 5],
  ["2025-03-26", () => withHandshake("2025-03-26"), "2025-03-26", "answers", 5],
  ["2024-11-05", withEventStream, "2024-11-05", "answers", 7],
  [
    "a later revision, by an error",
    () => byMethod({}, unsupported("2027-03-01")),
    "mcp-revision-unknown",
    "unknown",
    1,
  ],
  [
    "a later revision, by a discovery",
    () => byMethod({ "server/discover": (exchange) => inName(exchange, ["2027-03-01"]) }),
    ...(["mcp-revision-unknown", "unknown", 1] as const),
  ],
  [
    "a later revision without discovery",
    () => byMethod({ initialize: unsupported("2028-01-01") }),
    ...(["mcp-revision-unknown", "unknown", 2] as const),
  ],
  [
    "a later revision that names none",
    () => byMethod({}, refuse(400, -32_022)),
    ...(["mcp-revision-unknown", "unknown", 2] as const),
  ],
  [
    "a later revision with a handshake",
    () => withHandshake("2028-01-01"),
    "mcp-revision-unknown",
    "unknown",
    2,
  ],
  [
    "a later revision and an earlier one",
    () => withHandshake("2025-11-25", unsupported("2027-03-01", "2025-11-25")),
    ...(["2025-11-25", "answers", 5] as const),
  ],
  ["a gate", () => byMethod({}, plain(401, { "www-authenticate": "Bearer" })), "mcp-unreadable", "gated", 2],
  [
    "a gate before 2026-07-28",
    () => byMethod({ initialize: unsupported("2026-07-28") }, plain(403)),
    ...(["mcp-unreadable", "gated", 2] as const),
  ],
  [
    "a gate that names no methods",
    () => byMethod({ initialize: plain(404) }, plain(401)),
    "mcp-unreadable",
    "gated",
    4,
  ],
  ["a limit", () => byMethod({}, plain(429)), "mcp-unreadable", "unknown", 1],
  [
    "another JSON-RPC server",
    () => byMethod({}, refuse(200, -32_601)),
    "mcp-unreadable",
    "other-protocol",
    2,
  ],
  // Responses of servers and gateways with a handshake to an unknown method.
  ...(
    [
      ["400", plain(400)],
      ["401", plain(401)],
      ["402", plain(402)],
      ["403", plain(403)],
      ["404", plain(404)],
      ["421", plain(421)],
      ["422", plain(422)],
      ["500", plain(500)],
      ["503", plain(503)],
      ["202", plain(202)],
      ["204", plain(204)],
      ["a redirect to a page", plain(302, { location: "/login" })],
      ["a redirect without a place", plain(303)],
      ["a page", ({ response }) => response.writeHead(200, { "content-type": "text/html" }).end("<p>Hello")],
      [
        "invalid JSON",
        ({ response }) => response.writeHead(200, { "content-type": "application/json" }).end("{"),
      ],
      [
        "a batch",
        ({ response }) => response.writeHead(200, { "content-type": "application/json" }).end("[1]"),
      ],
      [
        "nested results",
        ({ response }) => response.writeHead(200, { "content-type": "application/json" }).end(nested),
      ],
      ["a result of its own", (exchange) => result(exchange, { ok: true })],
      ["an error of its own", refuse(200, -32_601)],
      ["an unknown session", refuse(404, -32_001)],
      ["a stream without an answer", events("id: 1\nretry: 0\ndata:\n\n")],
      ["a stream of requests", events('data: {"jsonrpc":"2.0","id":7,"method":"ping"}\n\n'.repeat(500))],
      ["silence", () => undefined],
    ] as [string, Answer][]
  ).map(([what, early]): (typeof table)[number] => [
    ...([`2025-06-18, answering ${what}`, () => withHandshake("2025-06-18", early)] as const),
    ...(["2025-06-18", "answers", 6] as const),
  ]),
];

describe("an MCP server, by revision:", () => {
  it.each(table)("%s", async (_, listener, read, outcome, most) => {
    let requests = 0;
    const answer = listener();
    const origin = await serveHttp((request, response) => {
      requests++;
      answer(request, response);
    });
    const url = `${origin}/mcp`;
    const imported = await importMcp(url, { guardedFetch }).catch((error) => error);
    expect(imported.protocolVersion ?? imported.code).toBe(read);
    if (read.startsWith("20"))
      expect(imported.tools.map(({ name }: { name: string }) => name)).toEqual(["echo"]);
    requests = 0;
    const entry = { name: "MCP", endpoint: url, tools: imported.tools ?? tools };
    const probe = await probeEndpoint(entry, { guardedFetch });
    expect(`${probe.outcome}: ${probe.reason}`).toMatch(`${outcome}: `);
    expect(probe.comparison?.outcome).toBe(outcome === "answers" ? "same" : undefined);
    expect(requests).toBeLessThanOrEqual(most);
  });

  it("2026-07-28: a changed tool is reported as a difference", async () => {
    const origin = await serveHttp(stateless());
    const entry = {
      name: "MCP",
      endpoint: `${origin}/mcp`,
      tools: [{ ...tools[0], description: "Says it." }],
    };
    const { comparison } = await probeEndpoint(entry as never, { guardedFetch });
    expect(comparison).toMatchObject({ outcome: "changed", changes: [{ name: "echo", change: "changed" }] });
  });

  it("2026-07-28: endless pages are read up to the limit", async () => {
    let page = 0;
    const endless: Answer = (exchange) =>
      result(exchange, { ...complete, tools, nextCursor: String(page++) });
    const origin = await serveHttp(stateless({ "tools/list": endless }));
    const { outcome } = await probeEndpoint({ name: "MCP", endpoint: `${origin}/mcp` }, { guardedFetch });
    expect(outcome).toBe("failing");
    expect(page).toBeLessThanOrEqual(100);
  });

  it("a later revision appears in the reason without control characters", async () => {
    const origin = await serveHttp(byMethod({}, unsupported("2027-03-01", "\u202e\u001b[2J".repeat(1_000))));
    const error = await importMcp(`${origin}/mcp`, { guardedFetch }).catch((error) => error);
    expect(error.shortMessage).toContain("2027-03-01");
    expect(error.shortMessage).not.toMatch(/\p{C}/u);
    expect(error.shortMessage.length).toBeLessThan(400);
  });
});
