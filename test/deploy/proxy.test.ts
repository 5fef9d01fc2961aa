import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import getPort from "get-port";
import {
  answers,
  rootDirectory,
  type Service,
  startService,
  waitUntilReady,
} from "../../scripts/stack/processes.ts";
import { hasProgram } from "./hasProgram.ts";

/** Runs Caddy with the files of deploy/, in front of servers that return the received request. */
(hasProgram("caddy", "version") ? describe : describe.skip)("deploy/Caddyfile", () => {
  let directory: string;
  let service: Service;
  let url: string;
  const servers: Server[] = [];
  let reached: IncomingMessage[] = [];

  const headers = { "content-security-policy": "script-src 'nonce-abc'", "x-frame-options": "DENY" };
  const listener: RequestListener = (request, response) => {
    if (request.url === "/healthz") {
      response.end("ok");
      return;
    }
    reached.push(request);
    text(request).then(
      (body) => response.writeHead(200, headers).end(String(body.length)),
      () => response.destroy(),
    );
  };

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "proxy-"));
    // These servers accept larger headers than the proxy may accept.
    const options = { maxHeaderSize: 1_024 * 1_024 };
    for (const server of [createServer(options, listener), createServer(options, listener)]) {
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      servers.push(server);
    }
    const upstreams = servers.map((server) => `127.0.0.1:${(server.address() as AddressInfo).port}`);
    url = `http://127.0.0.1:${await getPort()}`;
    service = await startService({
      name: "caddy",
      command: [
        "caddy",
        "run",
        "--config",
        join(rootDirectory, "deploy/Caddyfile"),
        "--adapter",
        "caddyfile",
      ],
      settings: {
        SITE: url,
        WEB_UPSTREAMS: upstreams.join(" "),
        CADDY_ADMIN: "off",
        XDG_DATA_HOME: directory,
      },
      logDirectory: directory,
    });
    await waitUntilReady(service, () => answers(url));
  });
  beforeEach(() => {
    reached = [];
  });
  after(async () => {
    await service?.stop();
    for (const server of servers) server.close().closeAllConnections();
    await rm(directory, { recursive: true, force: true });
  });

  it("asks the app for no other protocol", async () => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    const upgrade = "Connection: Upgrade, close\r\nUpgrade: websocket";
    socket.write(`GET /_next/webpack-hmr HTTP/1.1\r\nHost: ${new URL(url).host}\r\n${upgrade}\r\n\r\n`);
    expect(await text(socket)).to.match(/^HTTP\/1\.1 200/);
    expect(reached.map((request) => request.headers.upgrade)).to.deep.equal([undefined]);
  });

  it("sets the client's address itself and ignores the client's own header", async () => {
    await fetch(url, { headers: { "x-forwarded-for": "203.0.113.9, 198.51.100.1" } });
    expect(reached.map((request) => request.headers["x-forwarded-for"])).to.deep.equal(["127.0.0.1"]);
  });

  it("does not change the app's security headers", async () => {
    const answer = await fetch(url);
    for (const [name, value] of Object.entries(headers)) expect(answer.headers.get(name)).to.equal(value);
  });

  it("forwards a body slightly above the app's limit, and refuses a far larger one", async () => {
    const post = (size: number) => fetch(url, { method: "POST", body: "x".repeat(size) });
    expect(await (await post(17 * 1_024)).text()).to.equal(String(17 * 1_024));
    // Current Caddy responds with 413, Debian's version with 502.
    expect((await post(1_024 * 1_024)).status).to.be.oneOf([413, 502]);
  });

  it("refuses a header of forty kilobytes", async () => {
    const { status } = await fetch(url, { headers: { "x-large": "x".repeat(40 * 1_024) } });
    expect(status).to.equal(431);
    expect(reached).to.deep.equal([]);
  });

  it("hides the operator's routes from strangers", async () => {
    for (const path of [
      "/metrics",
      "/readyz",
      "/healthz",
      "/READYZ",
      "/%72eadyz",
      "//readyz",
      "/a/../readyz",
    ]) {
      expect(await firstLine(`GET ${path} HTTP/1.1`)).to.match(/^HTTP\/1.1 (404|308|400) /, path);
    }
    expect(reached).to.deep.equal([]);
  });

  for (const [kind, ...requests] of [
    [
      "methods that no route has",
      "TRACE /api/search",
      "PROPFIND /",
      "QUERY /",
      "get /",
      "CONNECT 127.0.0.1:22",
    ],
    ["targets that are no path", "GET *", "POST *", "GET apps", "GET ?q=x"],
    [
      "paths that can't be decoded",
      "GET /api/apps/%E0%A4%A",
      "GET /apps/%",
      "GET /issuers/%ff",
      "GET /%00%c0%ae",
    ],
  ] as const) {
    it(`refuses ${kind}`, async () => {
      for (const request of requests)
        expect(await firstLine(`${request} HTTP/1.1`), request).to.match(/^HTTP\/1.1 40[05] /);
      expect(reached).to.deep.equal([]);
    });
  }

  it("forwards nothing of a request whose length is ambiguous", async () => {
    const body = "0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n";
    for (const lengths of [
      "Content-Length: 5\r\nContent-Length: 6",
      "Content-Length: 5, 5",
      "Content-Length: +5",
      "Content-Length: 0x5",
      "Transfer-Encoding : chunked",
      "Transfer-Encoding: xchunked",
      "Transfer-Encoding: chunked, identity",
      "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
      "Transfer-Encoding:\tchunked\x0b",
    ])
      expect(await firstLine(`POST / HTTP/1.1\r\n${lengths}`, { body }), lengths).to.match(
        /^HTTP\/1.1 (400|501) /,
      );
    // Caddy follows RFC 9112, 6.3: the last chunk ends the request, and the connection.
    const both = "Transfer-Encoding: chunked\r\nContent-Length: 60";
    await firstLine(`POST / HTTP/1.1\r\n${both}`, { body });
    expect(reached.map(({ method, url }) => `${method} ${url}`)).to.deep.equal(["POST /"]);
  });

  it("responds to others after a client has broken its request", async () => {
    for (const [length, body] of [
      ["Transfer-Encoding: chunked", "zz\r\nhello"],
      ["Transfer-Encoding: chunked", `1;${"e".repeat(20_000)}\r\nx`],
      ["Transfer-Encoding: chunked", `20000\r\n${"x".repeat(0x20000)}\r\n0\r\n\r\n`],
      ["Content-Length: 500", "half"],
    ] as const) {
      for (const _ of servers) await firstLine(`POST / HTTP/1.1\r\n${length}`, { body, leaves: true });
      const { status } = await fetch(url, { method: "POST", body: "whole" });
      expect(status, `${length}, ${body.slice(0, 9)}`).to.equal(200);
    }
  });

  it("responds while one of the web processes is unavailable", async () => {
    servers[0]?.close().closeAllConnections();
    const statuses = await Promise.all(
      Array.from({ length: 20 }, () => fetch(url).then(({ status }) => status)),
    );
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
  });

  (process.env.TEST_LONG ? it : it.skip)(
    "ends the connection of a client whose header never ends",
    async () => {
      expect(await firstLine("GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ", { whole: false })).to.match(
        /^$|^HTTP\/1.1 4/,
      );
      expect(reached).to.deep.equal([]);
    },
  );

  /**
   * Sends a raw request, which `fetch` would normalize. Returns the first line, or "" if there is no response. `leaves`
   * ends the connection after the body.
   */
  function firstLine(request: string, { body = "", whole = true, leaves = false } = {}): Promise<string> {
    const { hostname, port, host } = new URL(url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(whole ? `${request}\r\nHost: ${host}\r\nConnection: close\r\n\r\n${body}` : request);
        if (leaves) socket.end();
      });
      let answer = "";
      socket.on("data", (chunk) => {
        answer += chunk;
      });
      socket.on("error", reject).on("close", () => resolve(answer.split("\r\n")[0] ?? ""));
    });
  }
});
