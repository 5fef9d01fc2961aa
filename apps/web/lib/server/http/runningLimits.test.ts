import { once } from "node:events";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { freePort } from "@app-registry/test-kit/freePort";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type NextServer, startNextServer } from "../test/nextServer.ts";
import { type RegistryFixture, startRegistry, wallet } from "../test/registryFixture.ts";

let fixture: RegistryFixture;
let server: NextServer;

beforeAll(async () => {
  fixture = await startRegistry();
  server = await startNextServer(await freePort(), {
    ...fixture.variables,
    // The bundled server loads a module that the bundler did not see.
    ISSUER_PRIVATE_KEY: "",
    ISSUER_ACCOUNT_MODULE: fileURLToPath(new URL("../test/issuerAccount.ts", import.meta.url)),
    TEST_ISSUER_KEY: fixture.variables.ISSUER_PRIVATE_KEY ?? "",
    TRUSTED_PROXIES: "1",
    RATE_LIMIT_SEARCH_CLIENT: "2",
    RATE_LIMIT_PAGE_CLIENT: "2",
    RATE_LIMIT_READ_CLIENT: "2",
  });
});
afterAll(async () => {
  await server.stop();
  await fixture.stop();
});

/** Sends requests as a separate client. */
const askAs =
  (client: string) =>
  (path: string, init: RequestInit = {}) =>
    fetch(`${server.origin}${path}`, { ...init, headers: { ...init.headers, "x-forwarded-for": client } });

describe("a server that has just started", () => {
  // @threat services: A picture or a rush that stops the web app
  it("answers or limits 240 simultaneous requests without running out of connections", async () => {
    const { did } = await fixture.register();
    const attest = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ did: fixture.host.did(wallet.address), connectedAddress: wallet.address }),
    };
    const requests: [path: string, init?: RequestInit][] = [
      ["/api/verify-and-attest", attest],
      ["/api/search?traits=api:rest"],
      ["/api/health"],
      [`/api/data-url/${did}/v/1.0.0`],
    ];
    const codes = await Promise.all(
      Array.from({ length: 240 }, async (_, index) => {
        const [path, init] = requests[index % requests.length] as (typeof requests)[number];
        const answer = await askAs(`198.51.100.${index}`)(path, init);
        const { code } = (await answer.json()) as { code?: string };
        return `${path.split("?")[0]} ${answer.status}${code ? ` ${code}` : ""}`;
      }),
    );
    // Health responds within four seconds with the results so far, which a busy machine may not have in time.
    const failed = codes.filter((code) => code.includes(" 5"));
    expect(failed.filter((code) => code !== "/api/health 503")).toEqual([]);
    await expect.poll(async () => (await askAs("198.51.100.250")("/api/health")).status).toBe(200);
    expect(codes.filter((code) => code === "/api/verify-and-attest 200")).toHaveLength(60);
  });
});

/** Opens a POST of 200 bytes and sends the first of them. */
async function startUpload(path: string) {
  const { hostname, port, host } = new URL(server.origin);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  await once(socket, "connect");
  const head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: 200\r\n\r\n`;
  socket.write(`${head}{"did":`);
  return socket;
}

describe("a client over the limits of the running server", () => {
  it.each([
    // A page of results is for all clients, so it names no limit of one.
    ["/api/search?limit=1", "203.0.113.1", "search-client", null],
    ["/api/apps/did:web:nobody.example", "203.0.113.2", "read-client", '"read-client";r=1'],
    ["/api/data-url/did:web:nobody.example/v/1.0.0", "203.0.113.3", "read-client", '"read-client";r=1'],
    // @threat services: Clients that repeat themselves or use up others' checks, or a limit that refuses only once
  ])("is rejected at %s with a problem that says when to try again", async (path, client, limit, left) => {
    const ask = askAs(client);
    expect((await ask(path)).headers.get("ratelimit")?.replace(/;t=\d+/, "") ?? null).toBe(left);
    expect((await ask(path)).status).not.toBe(429);
    const refused = await ask(path);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("ratelimit-policy")).toBe(`"${limit}";q=2;w=600`);
    expect(refused.headers.get("ratelimit")?.replace(/;t=\d+/, "")).toBe(`"${limit}";r=0`);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(500);
    expect(await refused.json()).toMatchObject({ code: "rate-limited", retryable: true });
    expect((await askAs(`${client}9`)(path)).status).not.toBe(429);
  });

  // @threat services: Clients that repeat themselves or use up others' checks, or a limit that refuses only once
  it("sees a page that says when to try again, with a link back, at every path", async () => {
    const ask = askAs("203.0.113.4");
    const { did } = await fixture.register();
    for (const path of [`/apps/${did}`, "/apps"]) expect((await ask(path)).status).toBe(200);
    for (const path of [`/apps/${did}`, `/apps/${did}/v/1.0.0`, "/apps?q=a", "/"]) {
      const refused = await ask(path);
      expect(refused.status, path).toBe(429);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(500);
      expect(refused.headers.get("ratelimit")).toMatch(/^"page-client";r=0;t=\d+$/);
      expect(refused.headers.get("cache-control")).toContain("no-store");
      expect(refused.headers.get("content-security-policy")).toContain("'strict-dynamic'");
      const page = await refused.text();
      expect(page).toContain("Too many requests</h1>");
      expect(page).toMatch(/in \d+ minutes/);
      expect(page).toContain(`href="${path}"`);
    }
    expect((await ask("/register")).status).toBe(200);
  });

  it("cannot start a check with a form", async () => {
    const ask = askAs("203.0.113.5");
    for (const method of ["GET", "GET"]) await ask("/apps/did:web:nobody.example", { method });
    const refused = await ask("/apps/did:web:nobody.example", { method: "POST", body: "x" });
    expect(refused.status).toBe(429);
    expect(refused.headers.get("content-type")).toBe("text/plain");
    expect(await refused.text()).toMatch(/^Too many requests\. Try again in \d+ minutes\.$/);
  });

  it("is not found at the notice page unless it is limited, whatever headers it sends", async () => {
    const claim = { "x-app-registry-retry-after": "60", "x-app-registry-path": "https://evil.example" };
    const response = await askAs("203.0.113.6")("/too-many-requests", { headers: claim });
    expect(response.status).toBe(404);
  });

  it("may still read health, which probes need", async () => {
    const ask = askAs("203.0.113.7");
    for (let count = 0; count < 5; count++) expect((await ask("/api/health")).status).toBe(200);
  });
});

describe("a client that does not send its whole body", () => {
  const logged = (code: string) =>
    server
      .log()
      .split("\n")
      .filter((line) => line.includes(`"code":"${code}"`));

  // @threat services: A body or list that is empty, endless, trickles or breaks off
  it("raises no alert when it disconnects", async () => {
    // Try again: a busy server may learn of the connection's end before it reads the body.
    const abort = async () => {
      const upload = await startUpload("/api/verify-and-attest");
      await new Promise((resolve) => setTimeout(resolve, 500));
      upload.destroy();
      return logged("body-incomplete");
    };
    await expect.poll(abort).not.toHaveLength(0);
    expect(JSON.parse(logged("body-incomplete")[0] as string)).toMatchObject({ level: "info", status: 400 });
    expect(server.log()).not.toMatch(/"level":"error"|⨯|unhandled/i);
  });

  // @threat services: A body or list that is empty, endless, trickles or breaks off
  it("is rejected when it takes too long", async () => {
    const upload = await startUpload("/api/verify-and-attest");
    const drip = setInterval(() => upload.write(" "), 1_000);
    const [answer] = await once(upload.setEncoding("utf8"), "data");
    clearInterval(drip);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toMatch(/connection: close/i);
    await once(upload, "close");
  });
});
