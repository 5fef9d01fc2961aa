import type { ServerResponse } from "node:http";
import type { Offered } from "@app-registry/test-kit/mcpServer";
import { afterEach, describe, expect, it } from "vitest";
import {
  call,
  connect,
  endAll,
  listed,
  MARK,
  manual,
  onCall,
  read,
  refusal,
  send,
  stream,
} from "../../test/guardedClient.ts";

afterEach(endAll);

const event = (message: object) => `data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`;
const done = { content: [{ type: "text", text: "done" }] };

describe.each(["2025-06-18", "2026-07-28"])("a server of revision %s", (revision) => {
  const odd = {
    ...send,
    annotations: { readOnlyHint: false, audience: ["user"] },
    securitySchemes: [{ type: "oauth2", scopes: ["send"] }],
    notice: "Asks twice.",
  };

  it("matches its registered version with fields that are not in the schemas of the protocol", async () => {
    const offered = { tools: [odd], resources: [{ ...manual, lastModifiedBy: "carol" }] };
    const { client, notes } = await connect({ served: { ...offered, revision }, entry: offered });
    const { tools, resources } = await listed(client);
    expect([tools.map(({ name }) => name), resources.length]).toEqual([["send_email"], 1]);
    expect(await call(client, "send_email")).toMatchObject({ content: [{ text: "did send_email" }] });
    expect(notes.join("\n")).not.toMatch(/Asks twice|carol|tool send_email|resource docs/);
  });
});

describe("a registered resource template", () => {
  it("does not allow a blocked resource", async () => {
    const { client, service } = await connect();
    const readPage = (uri: string) => client.readResource({ uri }, { cacheMode: "bypass" });
    service.offered.resources = [manual, { uri: "docs://pages/2", name: "new" }];
    for (const uri of ["docs://pages/2", "docs://pages/%2532", "docs://pages/2?a"])
      await expect(readPage(uri), uri).rejects.toThrow("is blocked");
    expect(await readPage("docs://pages/3")).toMatchObject({ contents: [{ text: "page" }] });
  });
});

describe("an error of the server", () => {
  it.each([200, 400, 500])(
    "with HTTP %i becomes one short sentence without the server's text",
    async (status) => {
      const { client, service, heard, notes } = await connect();
      onCall(service, (_request, response) =>
        response.writeHead(status, { "content-type": "text/plain" }).end(`\u202E${MARK} `.repeat(250_000)),
      );
      const { message = "" } = (await refusal(client, "send_email")) ?? {};
      expect(message).not.toBe("");
      expect(message.length).toBeLessThan(200);
      expect(`${heard()}${notes}`).not.toMatch(/EXFILTRATE|\u202E/);
    },
  );

  // @threat documents: A redirect, version or response that collects credentials, repeats a call or floods the client
  it("at the start has the same message", async () => {
    const raw: Offered["raw"] = (_request, response) => {
      response.writeHead(401).end(`${MARK} https://evil.example`);
      return true;
    };
    await expect(connect({ served: { raw } })).rejects.toThrow(/HTTP 401(?!.*(?:evil|EXFILTRATE)).*--header/);
  });
});

describe("a server that tries to keep the guard busy", () => {
  // @threat documents: A redirect, version or response that collects credentials, repeats a call or floods the client
  it("by announcing changes at each list causes at most one notification every 10 seconds", async () => {
    const began = performance.now();
    const { client, service, changes } = await connect();
    service.offered.raw = ({ id, method }, response) => {
      if (method !== "tools/list") return false;
      stream(response).write(event({ method: "notifications/tools/list_changed" }));
      response.end(event({ id, result: { tools: [send, read] } }));
      return true;
    };
    for (let times = 0; times < 20; times++) await call(client, "send_email");
    expect(changes.length).toBeLessThanOrEqual(1 + (performance.now() - began) / 10_000);
  });

  it("has its lists read once for concurrent requests", async () => {
    const { client, service } = await connect();
    await Promise.all(Array.from({ length: 20 }, () => call(client, "send_email")));
    const count = (wanted: string) => service.log.filter(({ method }) => method === wanted).length;
    expect(count("tools/call")).toBe(20);
    expect(count("tools/list")).toBeLessThan(20);
  });

  it("has its request closed when a call is canceled", async () => {
    const { client, service } = await connect();
    const cancel = new AbortController();
    const closed = new Promise<void>((resolve) => {
      onCall(service, (_request, response) => {
        response.once("close", resolve);
        cancel.abort();
      });
    });
    await expect(client.callTool({ name: "send_email" }, { signal: cancel.signal })).rejects.toThrow();
    await closed;
  });

  // @threat documents: A redirect, version or response that collects credentials, repeats a call or floods the client
  it("by sending endless pings gets only a few concurrent replies", async () => {
    const { client, service } = await connect();
    const replies: ServerResponse[] = [];
    service.offered.raw = ({ id, method }, response) => {
      if (method === undefined && response.req.method === "POST") return replies.push(response) > 0;
      if (method !== "tools/call") return false;
      stream(response);
      for (let number = 0; number < 500; number++)
        response.write(event({ id: `p${number}`, method: "ping" }));
      response.end(event({ id, result: done }));
      return true;
    };
    // The replies stay open while the second call makes its requests.
    for (let times = 0; times < 2; times++) expect(await call(client, "send_email")).toEqual(done);
    await expect.poll(() => replies.length).toBeGreaterThanOrEqual(8);
    for (const response of replies) response.writeHead(202).end();
    expect(replies.length).toBeLessThanOrEqual(8);
  });

  it("by leaving its response streams open has them closed", async () => {
    const { client, service } = await connect();
    let open = 0;
    service.offered.raw = ({ id, method }, response) => {
      if (method !== "tools/list" && method !== "tools/call") return false;
      open += 1;
      response.once("close", () => {
        open -= 1;
      });
      stream(response).write(event({ id, result: method === "tools/list" ? { tools: [send, read] } : done }));
      return true;
    };
    // The guard has at most 256 connections.
    for (let times = 0; times < 30; times++)
      await Promise.all(Array.from({ length: 10 }, () => call(client, "send_email")));
    await expect.poll(() => open).toBe(0);
  });

  it("by ending its notification stream has it reopened at most every 10 seconds", async () => {
    const { client, service } = await connect();
    const began = performance.now();
    let opened = 0;
    service.offered.raw = (_request, response) => {
      if (response.req.method !== "GET") return false;
      opened += 1;
      stream(response).end("retry: 0\nid: 1\ndata:\n\n");
      return true;
    };
    service.forget();
    await call(client, "send_email");
    await expect.poll(() => opened).toBeGreaterThan(0);
    for (let times = 0; times < 20; times++) await call(client, "send_email");
    expect(opened).toBeLessThanOrEqual(1 + (performance.now() - began) / 10_000);
  });

  it("by listing endlessly has only a limited number of pages read", async () => {
    const { client, service } = await connect();
    let pages = 0;
    service.offered.raw = ({ id, method, params }, response) => {
      if (method !== "tools/list") return false;
      pages += 1;
      const number = Number(params.cursor ?? 0);
      const tools = [{ ...send, name: `n${number}`, description: "x".repeat(6_000_000) }];
      const message = { jsonrpc: "2.0", id, result: { tools, nextCursor: String(number + 1) } };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(message));
      return true;
    };
    expect((await refusal(client, "send_email"))?.message).toContain("not valid MCP");
    expect(pages).toBe(3);
  });

  it("by returning a list for a call has it forwarded unchanged", async () => {
    const { client, service } = await connect();
    const result = { content: [], tools: [{ a: 1 }], prompts: [] };
    service.offered.answer = (method) => (method === "tools/call" ? result : undefined);
    expect(await call(client, "send_email")).toEqual(result);
  });

  it("by listing thousands of tools with duplicate names is handled in limited time", async () => {
    const { client, service } = await connect();
    const many = Array.from({ length: 9_000 }, (_, number) => ({
      ...read,
      name: number % 2 ? "same" : `n${number}`,
    }));
    service.offered.tools = [send, ...many];
    expect(await call(client, "send_email")).toMatchObject({ content: [{ text: "did send_email" }] });
    service.offered.tools = [send, ...many, ...many];
    expect((await refusal(client, "send_email"))?.message).toContain("not valid MCP");
  });
});
