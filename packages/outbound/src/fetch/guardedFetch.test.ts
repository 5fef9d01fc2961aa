import type { RequestListener } from "node:http";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { createGuardedFetch } from "./guardedFetch.ts";
import type { GuardedFetchErrorCode } from "./guardedFetchError.ts";

const servers: Server[] = [];

async function serve(listener: RequestListener) {
  const server = createServer(listener);
  servers.push(server);
  let connections = 0;
  server.on("connection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { port, origin: `http://127.0.0.1:${port}`, connections: () => connections };
}

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

const json =
  (body: string, contentType = "application/json"): RequestListener =>
  (_, response) => {
    response.setHeader("content-type", contentType);
    response.end(body);
  };

/** Fetcher with a small size limit and a time limit that a busy machine doesn't reach. */
const local = createGuardedFetch({ allowLoopback: true, timeout: 30_000, maxBytes: 10_000 });
const hurried = createGuardedFetch({ allowLoopback: true, timeout: 500 });
const strict = createGuardedFetch({ timeout: 500 });

async function refusal(promise: Promise<unknown>, code: GuardedFetchErrorCode) {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ name: "GuardedFetchError", code });
  return error as Error;
}

describe("guardedFetch, without allowLoopback", () => {
  it("rejects http before resolving the name", async () => {
    let resolved = 0;
    const guarded = createGuardedFetch({
      resolve: (_host, _options, callback) => {
        resolved++;
        callback(null, [{ address: "1.1.1.1", family: 4 }]);
      },
    });
    await refusal(guarded.fetch("http://example.com/"), "url-not-allowed");
    expect(resolved).toBe(0);
  });

  it.each(["ftp://example.com/", "file:///etc/passwd", "data:application/json,{}", "nonsense"])(
    "rejects %s",
    async (url) => {
      await refusal(strict.fetch(url), "url-not-allowed");
    },
  );

  it.each([1, 22, 25, 6000])("rejects port %s, which is reserved for another protocol", async (port) => {
    const error = await refusal(strict.fetch(`https://example.com:${port}/`), "url-not-allowed");
    expect(error).toMatchObject({ retryable: false, shortMessage: expect.stringContaining(`Port ${port} `) });
  });

  it("rejects credentials in the URL without repeating them", async () => {
    const error = await refusal(strict.fetch("https://me:secret@example.com/"), "url-not-allowed");
    expect(JSON.stringify(error) + error.message).not.toContain("secret");
  });

  // @threat services: A DID, host, name, redirect or record that leads to a private address
  it("rejects a name if one of its addresses is not public", async () => {
    const server = await serve(json("{}"));
    const guarded = createGuardedFetch({
      resolve: (_host, _options, callback) =>
        callback(null, [
          { address: "93.184.216.34", family: 4 },
          { address: "127.0.0.1", family: 4 },
        ]),
    });
    const error = await refusal(guarded.fetch(`https://example.com:${server.port}/`), "address-not-public");
    expect(error.message).not.toContain("127.0.0.1");
    expect(server.connections()).toBe(0);
  });
});

describe("guardedFetch, with allowLoopback", () => {
  it("fetches a document over plain http", async () => {
    const server = await serve(json('{"a":1}', "application/did+ld+json; charset=utf-8"));
    const document = await local.fetchDocument(`${server.origin}/x`);
    expect(document).toEqual({
      text: '{"a":1}',
      url: `${server.origin}/x`,
      contentType: "application/did+ld+json",
    });
  });

  it.each([
    ...["application/did", "application/did+json", "application/did+ld+json", "application/json"],
    ...["application/did; charset=utf-8", "APPLICATION/DID"],
  ])("fetches a document of the type %s", async (type) => {
    const server = await serve(json("{}", type));
    expect(await local.fetchDocument(server.origin)).toMatchObject({ text: "{}" });
  });

  it("sends no credentials and identifies itself", async () => {
    let headers: Record<string, unknown> = {};
    const server = await serve((request, response) => {
      headers = request.headers;
      response.end();
    });
    await local.fetch(server.origin, {
      headers: { authorization: "Bearer x", cookie: "a=b", "mcp-session-id": "1" },
    });
    expect(headers).toMatchObject({
      "mcp-session-id": "1",
      "user-agent": expect.stringContaining("app-registry"),
    });
    expect(headers).not.toHaveProperty("authorization");
    expect(headers).not.toHaveProperty("cookie");
  });

  it("keeps a byte order mark in the text", async () => {
    const server = await serve(json("\uFEFF{}"));
    expect((await local.fetchDocument(server.origin)).text).toBe("\uFEFF{}");
  });
});

describe("guardedFetch, with redirects", () => {
  const redirect =
    (location: string): RequestListener =>
    (_, response) =>
      response.writeHead(302, { location }).end();

  it("follows three redirects and rejects the fourth", async () => {
    const server = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) return json("{}")(request, response);
      response.writeHead(307, { location: `/${left - 1}` }).end();
    });
    expect((await local.fetchDocument(`${server.origin}/3`)).url).toBe(`${server.origin}/0`);
    await refusal(local.fetchDocument(`${server.origin}/4`), "too-many-redirects");
  });

  it.each([
    ["http://169.254.169.254/latest/meta-data", "url-not-allowed"],
    ["file:///etc/passwd", "url-not-allowed"],
  ] as const)("checks the target of each: %s", async (location, code) => {
    const server = await serve(redirect(location));
    await refusal(local.fetch(server.origin), code);
  });

  it("rejects a redirect to another host with sameOrigin", async () => {
    const other = await serve(json("{}"));
    const server = await serve(redirect(`${other.origin}/did.json`));
    await refusal(local.fetchDocument(server.origin, { sameOrigin: true }), "redirect-not-allowed");
    expect(other.connections()).toBe(0);
    await expect(local.fetchDocument(server.origin)).resolves.toMatchObject({ text: "{}" });
  });
});

describe("guardedFetch, with limits", () => {
  // @threat services: A host whose answer is hostile, huge or never ends
  it("aborts if a host never responds", async () => {
    const server = await serve(() => undefined);
    const error = await refusal(hurried.fetchDocument(server.origin), "timeout");
    expect(error).toMatchObject({ retryable: true });
  });

  // @threat services: A host whose answer is hostile, huge or never ends
  it("aborts a slow response when its total time exceeds the limit", async () => {
    const server = await serve((_, response) => {
      response.setHeader("content-type", "application/json");
      const timer = setInterval(() => response.write(" "), 50);
      response.on("close", () => clearInterval(timer));
    });
    await refusal(hurried.fetchDocument(server.origin), "timeout");
  });

  it("aborts a response that is too large", async () => {
    const server = await serve(json(" ".repeat(10_001)));
    await refusal(local.fetchDocument(server.origin), "too-large");
    const exact = await serve(json(" ".repeat(10_000)));
    await expect(local.fetchDocument(exact.origin)).resolves.toMatchObject({ text: " ".repeat(10_000) });
  });

  // @threat services: A host whose answer is hostile, huge or never ends
  it("closes the connection of a response of 60 MB at the limit", async () => {
    const sent = { bytes: 0, closed: false };
    const piece = Buffer.alloc(64 * 1024, " ");
    const server = await serve((_, response) => {
      response.setHeader("content-type", "application/json").setHeader("content-length", 60_000_000);
      response.on("close", () => {
        sent.closed = true;
      });
      const write = () => {
        while (!sent.closed && sent.bytes < 60_000_000) {
          sent.bytes += piece.length;
          if (!response.write(piece)) return void response.once("drain", write);
        }
      };
      write();
    });
    await refusal(local.fetchDocument(server.origin), "too-large");
    // Allow for data in the system's buffers.
    expect(sent.bytes).toBeLessThan(20_000_000);
  });

  // @threat services: A host whose answer is hostile, huge or never ends
  it("counts the bytes after decompression", async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      response.end(gzipSync(" ".repeat(5_000_000)));
    });
    await refusal(local.fetchDocument(server.origin), "too-large");
  });

  it("shares the limits on time and size in a session", async () => {
    const server = await serve(json(" ".repeat(6_000)));
    const session = local.openSession();
    await expect((await session.fetch(server.origin)).text()).resolves.toHaveLength(6_000);
    await refusal(
      session.fetch(server.origin).then((response) => response.text()),
      "too-large",
    );
    session.close();
  });
});

describe("errors of guardedFetch", () => {
  it.each([
    ["30", 30],
    ["Wed, 21 Oct 2015 07:28:00 GMT", 0],
    ["soon", undefined],
  ])("include the delay of Retry-After: %s", async (header, retryAfter) => {
    const server = await serve((_, response) => response.writeHead(429, { "retry-after": header }).end());
    const error = await refusal(local.fetchDocument(server.origin), "http-status");
    expect(error).toMatchObject({ status: 429, retryable: true, retryAfter });
  });

  it("include the HTTP status", async () => {
    const server = await serve((_, response) => response.writeHead(404).end());
    const error = await refusal(local.fetchDocument(server.origin), "http-status");
    expect(error).toMatchObject({
      status: 404,
      retryable: false,
      shortMessage: expect.stringContaining("404"),
    });
  });

  it("are retryable for a server error", async () => {
    const server = await serve((_, response) => response.writeHead(503).end());
    expect(await refusal(local.fetchDocument(server.origin), "http-status")).toMatchObject({
      retryable: true,
    });
  });

  it.each([
    ...["text/html", "text/plain; charset=utf-8", ""],
    ...["application/did+cbor", "application/didx", "application/x-did"],
  ])("report a content type that is not JSON: %s", async (type) => {
    const server = await serve(json("{}", type));
    await refusal(local.fetchDocument(server.origin), "content-type");
  });

  it("report a body that is not UTF-8", async () => {
    const server = await serve((_, response) => {
      response.setHeader("content-type", "application/json");
      response.end(Buffer.from([0x22, 0xff, 0x22]));
    });
    await refusal(local.fetchDocument(server.origin), "not-utf8");
  });

  it("report a refused connection", async () => {
    const server = await serve(json("{}"));
    servers[0]?.close();
    await refusal(local.fetchDocument(server.origin), "unreachable");
  });

  it("report a connection that is not TLS", async () => {
    const server = await serve(json("{}"));
    await refusal(local.fetchDocument(`https://127.0.0.1:${server.port}/`), "tls-failed");
  });

  it("don't give up an address because this process was busy while it connected", async () => {
    const server = await serve(json("{}"));
    const fetcher = createGuardedFetch({
      allowLoopback: true,
      timeout: 30_000,
      // Nothing listens at the second address.
      resolve: (_host, _options, callback) => {
        callback(null, [
          { address: "127.0.0.1", family: 4 },
          { address: "::1", family: 6 },
        ]);
        const until = Date.now() + 700;
        while (Date.now() < until);
      },
    });
    await expect(fetcher.fetchDocument(`http://localhost:${server.port}`)).resolves.toMatchObject({
      text: "{}",
    });
    await fetcher.close();
  });

  it("report a host that does not resolve", async () => {
    const guarded = createGuardedFetch({
      resolve: (_host, _options, callback) =>
        callback(Object.assign(new Error("x"), { code: "ENOTFOUND" }), []),
    });
    await refusal(guarded.fetch("https://nowhere.example/"), "name-not-found");
  });
});
