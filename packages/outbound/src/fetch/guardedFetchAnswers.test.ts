import type { AddressInfo } from "node:net";
import { createServer, type Server, type Socket } from "node:net";
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { createGuardedFetch } from "./guardedFetch.ts";

const guarded = createGuardedFetch({ allowLoopback: true, timeout: 10_000 });
const servers: Server[] = [];

/** Starts a server that sends the given bytes for any request. They need not be valid HTTP. */
async function answering(answer: (socket: Socket, request: string) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (request) => answer(socket, request.toString()));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});
afterAll(() => guarded.close());

const head = (start: string, ...headers: string[]) => `${[start, ...headers].join("\r\n")}\r\n\r\n`;
const document = (start: string, ...headers: string[]) =>
  `${head(start, ...headers, "content-type: application/json", "content-length: 2")}{}`;
const send =
  (text: string, encoding: BufferEncoding = "utf8") =>
  async () =>
    answering((socket) => socket.end(Buffer.from(text, encoding)));
const coded = (codings: string, body: Buffer) => async () =>
  answering((socket) => {
    const headers = [`content-encoding: ${codings}`, "content-type: application/json"];
    socket.write(head("HTTP/1.1 200 OK", ...headers, `content-length: ${body.length}`));
    socket.end(body);
  });

describe("a response that Node's own Response does not accept", () => {
  // @threat services: A host whose answer is hostile, huge or never ends
  it.each([
    ["999, as some sites answer programs", "999"],
    ["600", "600"],
  ])("is a server error if its status is %s", async (_, status) => {
    const url = await send(head(`HTTP/1.1 ${status} Denied`, "content-length: 0"))();
    await expect(guarded.fetchDocument(url)).rejects.toMatchObject({
      name: "GuardedFetchError",
      code: "http-status",
      status: Number(status),
      retryable: true,
    });
  });

  it.each([
    ["UTF-8", "Привет", "utf8"],
    ["Latin-1", "caf\xe9", "latin1"],
    ["a control character", "a\x01b", "latin1"],
  ] as const)("is read if only its reason phrase is invalid: %s", async (_, phrase, encoding) => {
    const url = await send(document(`HTTP/1.1 200 ${phrase}`), encoding)();
    await expect(guarded.fetchDocument(url)).resolves.toMatchObject({ text: "{}" });
  });
});

describe("guardedFetch, with an invalid response", () => {
  const redirect = "HTTP/1.1 302 Found";
  const elsewhere = "location: https://10.0.0.1/";

  it.each([
    [
      "a redirect whose body can't be decompressed",
      send(`${head(redirect, elsewhere, "content-encoding: gzip", "content-length: 2")}{}`),
      "address-not-public",
    ],
    [
      "a redirect whose body breaks off",
      send(`${head(redirect, elsewhere, "content-length: 200")}{}`),
      "address-not-public",
    ],
    [
      "a redirect whose body is not a valid chunk",
      send(`${head(redirect, elsewhere, "transfer-encoding: chunked")}ZZZ\r\n`),
      "address-not-public",
    ],
    [
      "a switch of protocols",
      send(head("HTTP/1.1 101 Switching", "upgrade: x", "connection: upgrade")),
      "unreachable",
    ],
    ["a request for proxy authentication", send(head("HTTP/1.1 407 No", "content-length: 0")), "unreachable"],
    ["another protocol's banner", send("SSH-2.0-OpenSSH_9\r\n"), "unreachable"],
    ["a folded header", send(document("HTTP/1.1 200 OK", "x-a: b\r\n c")), "unreachable"],
    [
      "a body that breaks off",
      send(head("HTTP/1.1 200 OK", "content-type: application/json", "content-length: 9")),
      "unreachable",
    ],
    ["a body that can't be decompressed", coded("gzip", Buffer.from("{}")), "unreachable"],
  ])("reports an error for %s", async (_, serve, code) => {
    await expect(guarded.fetchDocument(await serve())).rejects.toMatchObject({
      name: "GuardedFetchError",
      code,
    });
  });

  it.each([
    ["a redirect's", send(head(redirect, "location: http://[\x9b31m"), "latin1")],
    ["a content type's", send(document("HTTP/1.1 200 OK", "content-type: \x9b31m"), "latin1")],
  ])("escapes %s control characters in the error message", async (_, serve) => {
    const error = (await guarded.fetchDocument(await serve()).catch((reason: unknown) => reason)) as Error;
    expect(error.message).toContain("\\u{9b}31m");
    expect(error.message).not.toContain("\x9b");
  });
});

describe("a compressed response", () => {
  const text = Buffer.from('{"a":1}');

  it.each([
    ["gzip", gzipSync(text)],
    ["GZIP", gzipSync(text)],
    ["br", brotliCompressSync(text)],
    ["identity", text],
  ])("is decompressed: %s", async (coding, body) => {
    await expect(guarded.fetchDocument(await coded(coding, body)())).resolves.toMatchObject({
      text: '{"a":1}',
    });
  });

  // @threat services: A host whose answer is hostile, huge or never ends
  it("is rejected if it is compressed twice, because the intermediate size has no limit", async () => {
    // This kilobyte decompresses to ten megabytes of empty gzip members.
    const empties = Buffer.concat(Array<Buffer>(500_000).fill(gzipSync("")));
    const url = await coded("gzip, gzip", gzipSync(empties, { level: constants.Z_BEST_COMPRESSION }))();
    await expect(guarded.fetchDocument(url)).rejects.toMatchObject({
      code: "content-encoding",
      retryable: false,
    });
  });

  // @threat services: A host whose answer is hostile, huge or never ends
  it("is rejected in a coding that was not requested, whose window size the server chooses", async () => {
    const url = await coded("zstd", zstdCompressSync(text))();
    await expect(guarded.fetchDocument(url)).rejects.toMatchObject({ code: "content-encoding" });
  });
});

describe("a session", () => {
  // @threat services: A host whose answer is hostile, huge or never ends
  it("allows at most 100 requests including redirects and ends at the next one", async () => {
    let asked = 0;
    const url = await answering((socket) => {
      asked += 1;
      socket.end(document("HTTP/1.1 200 OK", "connection: close"));
    });
    const session = guarded.openSession();
    for (let request = 0; request < 100; request++) await (await session.fetch(url)).text();
    await expect(session.fetch(url)).rejects.toMatchObject({ code: "too-many-requests" });
    expect(session.signal.reason).toMatchObject({ code: "too-many-requests" });
    expect(asked).toBe(100);
  });
});

describe("a redirected request", () => {
  it.each([
    ["301", "GET", undefined],
    ["302", "GET", undefined],
    ["303", "GET", undefined],
    ["307", "POST", '{"a":1}'],
    ["308", "POST", '{"a":1}'],
  ])("with status %s becomes a %s", async (status, method, body) => {
    const asked: string[] = [];
    const url = await answering((socket, request) => {
      asked.push(request);
      const isFirst = request.includes("/first ");
      const redirect = head(
        `HTTP/1.1 ${status} Found`,
        "location: /second",
        "content-length: 0",
        "connection: close",
      );
      socket.end(isFirst ? redirect : document("HTTP/1.1 200 OK", "connection: close"));
    });
    const headers = { "content-type": "application/json" };
    await guarded.fetch(`${url}first#part`, { method: "POST", headers, body: '{"a":1}' });
    const [start = "", sent = ""] = asked[1]?.split("\r\n\r\n") ?? [];
    expect(start).toMatch(new RegExp(`^${method} /second HTTP`));
    expect(start.includes("content-type: application/json")).toBe(body !== undefined);
    expect(sent).toBe(body ?? "");
    // A registry server recognizes its own requests by this header and rejects loops.
    expect(start).toMatch(/^cdn-loop: app-registry$/m);
  });
});
