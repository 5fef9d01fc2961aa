import { once } from "node:events";
import { request as send } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { appPath, getProvenSubject } from "@app-registry/sdk";
import { freePort } from "@app-registry/test-kit/freePort";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type NextServer, startNextServer } from "./test/nextServer.ts";
import { provideRegistry, wallet } from "./test/registryFixture.ts";

const fixture = provideRegistry();
let server: NextServer;

beforeAll(async () => {
  server = await startNextServer(await freePort(), {
    ...fixture.variables,
    PUBLIC_URL: "https://registry.example",
    // The bundled server loads a module that the bundler did not see.
    ISSUER_PRIVATE_KEY: "",
    ISSUER_ACCOUNT_MODULE: fileURLToPath(new URL("test/issuerAccount.ts", import.meta.url)),
    TEST_ISSUER_KEY: fixture.variables.ISSUER_PRIVATE_KEY ?? "",
    TRUSTED_PROXIES: "1",
    RATE_LIMIT_SEARCH_CLIENT: "2",
    RATE_LIMIT_PAGE_CLIENT: "2",
    RATE_LIMIT_READ_CLIENT: "2",
  });
});
afterAll(() => server.stop());

/** Sends requests as a separate client. */
const askAs =
  (client: string) =>
  (path: string, init: RequestInit = {}) =>
    fetch(`${server.origin}${path}`, { ...init, headers: { ...init.headers, "x-forwarded-for": client } });

let clients = 0;
/** Sends a request as a client that has sent none. */
const ask = (path: string, init?: RequestInit) => askAs(`2001:db8:0:${++clients}::1`)(path, init);

/** Sends a request with any method and header, which `fetch` does not allow, as a client that has sent none. */
function askRaw(method: string, path: string, sent: Record<string, string> = {}) {
  const headers = { "x-forwarded-for": `2001:db8:0:${++clients}::1`, ...sent };
  return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>(
    (resolve, reject) => {
      send(`${server.origin}${path}`, { method, agent: false, headers }, async (incoming) => {
        const { statusCode: status = 0, headers } = incoming;
        resolve({ status, headers, body: await text(incoming) });
      })
        .on("error", reject)
        .end();
    },
  );
}

const toAttest = (did: string) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ did, connectedAddress: wallet.address }),
});

describe("a server that has just started", () => {
  // @threat services: A picture or a rush that stops the web app
  it("answers or limits 240 simultaneous requests without running out of connections", async () => {
    const { did } = await fixture.register();
    const requests: [path: string, init?: RequestInit][] = [
      ["/api/verify-and-attest", toAttest(fixture.host.did(wallet.address))],
      ["/api/search?traits=api:rest"],
      ["/api/health"],
      [`/api/data-url/${did}/v/1.0.0`],
    ];
    const codes = await Promise.all(
      Array.from({ length: 240 }, async (_, index) => {
        const [path, init] = requests[index % requests.length] as (typeof requests)[number];
        const answer = await ask(path, init);
        const { code } = (await answer.json()) as { code?: string };
        return `${path.split("?")[0]} ${answer.status}${code ? ` ${code}` : ""}`;
      }),
    );
    // Health responds within four seconds with the results so far, which a busy machine may not have in time.
    const failed = codes.filter((code) => code.includes(" 5"));
    expect(failed.filter((code) => code !== "/api/health 503")).toEqual([]);
    await expect.poll(async () => (await ask("/api/health")).status).toBe(200);
    expect(codes.filter((code) => code === "/api/verify-and-attest 200")).toHaveLength(60);
  });
});

describe("the running web server", () => {
  it("serves a DID with a port in both spellings of its path, undecoded", async () => {
    const { did, canonical } = await fixture.register();
    expect(did).toContain("%3A");
    for (const spelt of [did, did.replaceAll("%", "%25")]) {
      expect(await (await ask(`/api/data-url/${spelt}/v/1.0.0`)).text()).toBe(canonical);
    }
  });

  it("serves did.json of its own loopback DIDs, so that they can be attested", async () => {
    for (const suffix of ["", ":a:b", ":a%20b"]) {
      const did = `did:web:${new URL(server.origin).host.replace(":", "%3A")}${suffix}`;
      const response = await ask("/api/verify-and-attest", toAttest(did));
      expect(await response.json()).toMatchObject({ ok: true, status: "attested" });
    }
  });

  it("returns the record at the page's path to clients that prefer JSON", async () => {
    const { did } = await fixture.register();
    const json = { headers: { accept: "application/json" } };
    const asJson = await ask(`/apps/${did.replaceAll("%", "%25")}`, json);
    expect(asJson.status).toBe(200);
    expect(asJson.headers.get("content-type")).toContain("application/json");
    expect(asJson.headers.get("vary")).toMatch(/\baccept\b/i);
    expect(asJson.headers.get("content-security-policy")).toContain("sandbox");
    expect(await asJson.json()).toMatchObject({ did, verification: { version: "1.0.0" } });
    expect((await ask("/apps/did:web:nobody.example", json)).status).toBe(404);

    const page = await ask(`/apps/${did}`, { headers: { accept: "text/html,*/*;q=0.8" } });
    expect(page.headers.get("content-type")).toContain("text/html");
    expect(page.headers.get("vary")).toMatch(/\baccept\b/i);
    const html = await page.text();
    const data = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? "";
    expect(JSON.parse(data)).toMatchObject({ about: { "@id": did } });
    expect(html).toMatch(/property="og:image" content="https:\/\/registry\.example\/api\/card\/did:web:/);
  });

  it("serves badges, cards, sitemaps and text files for machines", async () => {
    const { did } = await fixture.register();
    const badge = await ask(`/api/badge/${did}`);
    expect(badge.headers.get("content-type")).toBe("image/svg+xml; charset=utf-8");
    expect(badge.headers.get("cache-control")).toMatch(/^public, max-age=\d+$/);
    expect(await badge.text()).toContain(`>Controlled by an account at ${getProvenSubject(did).name}<`);
    expect((await ask("/api/badge/did:web:nobody.example")).status).toBe(404);
    expect((await ask(`/api/card/${did}`)).headers.get("content-type")).toBe("image/png");
    expect(await (await ask("/sitemap.xml")).text()).toContain(
      "<loc>https://registry.example/sitemaps/0</loc>",
    );
    expect(await (await ask("/sitemaps/0")).text()).toContain(
      `<loc>https://registry.example${appPath(did)}</loc>`,
    );
    for (const path of ["/sitemaps/9", "/sitemaps/-1", "/sitemaps/0x0"]) {
      expect((await ask(path)).status, path).toBe(404);
    }
    for (const path of ["/robots.txt", "/llms.txt"]) {
      expect((await ask(path)).headers.get("content-type")).toBe("text/plain; charset=utf-8");
    }
    expect(await (await ask("/")).text()).toMatch(/<link rel="icon" href="\/icon\.svg/);
  });

  // @threat services: A client that poisons a shared cache with its headers
  it("gives a shared cache the same answer, whatever headers a client sends", async () => {
    const { did } = await fixture.register();
    const hostile = {
      ...{ host: "evil.example", "x-forwarded-host": "evil.example", forwarded: "host=evil.example" },
      ...{ "x-forwarded-port": "1", "x-forwarded-prefix": "/evil" },
      ...{ cookie: "a=evil", authorization: "Bearer evil", origin: "https://evil.example" },
      ...{ "x-request-id": "request-of-evil", "accept-language": "xx", "cdn-loop": "app-registry" },
      ...{ "x-original-url": "/evil", "x-rewrite-url": "/evil", "x-http-method-override": "POST" },
      ...{ "x-middleware-subrequest": "proxy:proxy", "x-middleware-rewrite": "/evil", "next-url": "/evil" },
    };
    const paths = ["/api/search", `/api/data-url/${did}/v/1.0`, `/api/badge/${did}`];
    for (const path of [...paths, "/.well-known/ai-catalog.json"]) {
      const [one, other] = [await askRaw("GET", path), await askRaw("GET", path, hostile)];
      expect(one.headers["cache-control"], path).toMatch(/^public/);
      expect({ ...other, headers: { ...other.headers, date: one.headers.date } }, path).toEqual(one);
    }
  });

  it("returns a problem for an unknown route and for an unsupported method", async () => {
    const unknown = await ask("/api/nothing");
    expect(unknown.headers.get("content-type")).toBe("application/problem+json");
    expect(await unknown.json()).toMatchObject({ status: 404, code: "not-found" });
    const unsupported = await ask("/api/data-url/did:web:a.example/v/1.0", { method: "DELETE" });
    expect(unsupported.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    expect(await unsupported.json()).toMatchObject({ status: 405, code: "method-not-allowed" });
  });

  it("rejects methods other than GET and HEAD on a page", async () => {
    for (const method of ["PUT", "PATCH", "DELETE"]) {
      const { status, headers } = await askRaw(method, "/apps");
      expect([status, headers.allow]).toEqual([405, "GET, HEAD"]);
    }
  });

  it("gives each page a policy of its own, under which only its own scripts run and no site can frame it", async () => {
    const paths = ["/", "/apps", "/register", "/my", "/prober", "/apps/did:web:nobody.example", "/nothing"];
    const nonces = new Set<string | undefined>();
    for (const path of paths) {
      const { headers, body } = await askRaw("GET", path);
      const policy = String(headers["content-security-policy"]);
      const [, nonce] = /script-src 'self' 'nonce-([^']+)' 'strict-dynamic';/.exec(policy) ?? [];
      expect(body, path).toContain(`nonce="${nonce}"`);
      for (const part of ["frame-ancestors 'none'", "object-src 'none'", "base-uri 'none'"])
        expect(policy, path).toContain(part);
      expect(headers, path).toMatchObject({
        "x-content-type-options": "nosniff",
        "referrer-policy": "strict-origin-when-cross-origin",
        "cross-origin-opener-policy": "same-origin-allow-popups",
        "permissions-policy": expect.stringContaining("camera=()"),
      });
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(paths.length);
  });

  it("explains live checks at the address in their user agent, with the name that opts out", async () => {
    const { body } = await askRaw("GET", "/prober");
    expect(body).toContain("AppRegistryProber/1.0 (+https://registry.example/prober)");
    expect(body).toContain("User-agent: AppRegistryProber");
  });

  it("requires https for every page, route and file of a proxy with TLS", async () => {
    const file = /"(\/_next\/static\/[^"]+\.js)"/.exec((await askRaw("GET", "/")).body)?.[1] ?? "";
    const answers: [path: string, status: number][] = [
      ["/", 200],
      ["/nothing", 404],
      ["/api/deployment", 200],
      ["/api/nothing", 404],
      [file, 200],
      ["/_next/nothing", 404],
      ["/_next/static/nothing.js", 404],
    ];
    for (const [path, expected] of answers) {
      const { status, headers } = await askRaw("GET", path, { "x-forwarded-proto": "https" });
      expect(status, path).toBe(expected);
      expect(headers["strict-transport-security"], path).toBe("max-age=31536000");
      expect(headers["x-content-type-options"], path).toBe("nosniff");
      if (String(headers["content-type"]).startsWith("text/html")) {
        expect(headers["content-security-policy"], path).toContain("'strict-dynamic'");
      }
    }
    expect((await askRaw("GET", "/")).headers).not.toHaveProperty("strict-transport-security");
  });

  it.each([
    "/feed.evil",
    "/feed.atomic",
    "/sitemap.xmlx",
    "/sitemapx",
    "/robots.txtevil",
    "/llms.txt2",
    "/.well-known/nothing",
    "/_next/nothing",
  ])("answers %s with exactly one security policy", async (path) => {
    const { headers } = await askRaw("GET", path);
    expect(headers["content-security-policy"]).toMatch(/^default-src '(?:self|none)';[^,]*$/);
  });

  it.each(["null", "x"])("rejects a form from the origin %s", async (origin) => {
    const { status, headers } = await askRaw("POST", "/apps", { origin });
    expect(status).toBe(403);
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
  });

  it("has no image optimizer that would request its own routes", async () => {
    expect((await ask("/_next/image?url=%2Fapi%2Fsearch&w=640&q=75")).status).toBe(404);
  });
});

describe("a client over the limits of the running server", () => {
  it.each([
    // A page of results is for all clients, so it names no limit of one.
    ["/api/search?limit=1", "203.0.113.1", "search-client", null],
    ["/api/apps/did:web:nobody.example", "203.0.113.2", "read-client", '"read-client";r=1'],
    ["/api/data-url/did:web:nobody.example/v/1.0.0", "203.0.113.3", "read-client", '"read-client";r=1'],
    // @threat services: Clients that repeat themselves or use up others' checks, or a limit that refuses only once
  ])("is rejected at %s with a problem that says when to try again", async (path, client, limit, left) => {
    const askAgain = askAs(client);
    expect((await askAgain(path)).headers.get("ratelimit")?.replace(/;t=\d+/, "") ?? null).toBe(left);
    expect((await askAgain(path)).status).not.toBe(429);
    const refused = await askAgain(path);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("ratelimit-policy")).toBe(`"${limit}";q=2;w=600`);
    expect(refused.headers.get("ratelimit")?.replace(/;t=\d+/, "")).toBe(`"${limit}";r=0`);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(500);
    expect(await refused.json()).toMatchObject({ code: "rate-limited", retryable: true });
    expect((await askAs(`${client}9`)(path)).status).not.toBe(429);
  });

  // @threat services: Clients that repeat themselves or use up others' checks, or a limit that refuses only once
  it("sees a page that says when to try again, with a link back, at every path", async () => {
    const askAgain = askAs("203.0.113.4");
    const { did } = await fixture.register();
    for (const path of [`/apps/${did}`, "/apps"]) expect((await askAgain(path)).status).toBe(200);
    for (const path of [`/apps/${did}`, `/apps/${did}/v/1.0.0`, "/apps?q=a", "/"]) {
      const refused = await askAgain(path);
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
    expect((await askAgain("/register")).status).toBe(200);
    const form = await askAgain("/apps/did:web:nobody.example", { method: "POST", body: "x" });
    expect(form.status).toBe(429);
    expect(form.headers.get("content-type")).toBe("text/plain");
    expect(await form.text()).toMatch(/^Too many requests\. Try again in \d+ minutes\.$/);
  });

  it("is not found at the notice page unless it is limited, whatever headers it sends", async () => {
    const claim = { "x-app-registry-retry-after": "60", "x-app-registry-path": "https://evil.example" };
    expect((await ask("/too-many-requests", { headers: claim })).status).toBe(404);
  });

  it("may still read health, which probes need", async () => {
    const askAgain = askAs("203.0.113.7");
    for (let count = 0; count < 5; count++) expect((await askAgain("/api/health")).status).toBe(200);
  });
});

describe("a client that does not send its whole body", () => {
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
