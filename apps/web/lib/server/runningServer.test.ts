import { request as send } from "node:http";
import { text } from "node:stream/consumers";
import { appPath, getProvenSubject } from "@app-registry/sdk";
import { freePort } from "@app-registry/test-kit/freePort";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type NextServer, startNextServer } from "./test/nextServer.ts";
import { type RegistryFixture, startRegistry, wallet } from "./test/registryFixture.ts";

let fixture: RegistryFixture;
let server: NextServer;
let origin: string;

async function start() {
  server = await startNextServer(await freePort(), {
    ...fixture.variables,
    PUBLIC_URL: "https://registry.example",
    RATE_LIMIT_IMPORT_CLIENT: "1",
  });
  origin = server.origin;
}

beforeAll(async () => {
  fixture = await startRegistry();
  await start();
});
afterAll(async () => {
  await server.stop();
  await fixture.stop();
});

/** Sends a request with any method, which `fetch` does not allow. */
function ask(method: string, path: string, sent: Record<string, string> = {}) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>(
    (resolve, reject) => {
      send(`${origin}${path}`, { method, agent: false, headers: sent }, async (incoming) => {
        const { statusCode: status = 0, headers } = incoming;
        resolve({ status, headers, body: await text(incoming) });
      })
        .on("error", reject)
        .end();
    },
  );
}

describe("the running web server", () => {
  it("serves a DID with a port in both spellings of its path, undecoded", async () => {
    const { did, canonical } = await fixture.register();
    expect(did).toContain("%3A");
    for (const spelt of [did, did.replaceAll("%", "%25")]) {
      const response = await fetch(`${origin}/api/data-url/${spelt}/v/1.0.0`);
      expect(await response.text()).toBe(canonical);
    }
  });

  it("serves did.json of its own loopback DIDs, so that they can be attested", async () => {
    for (const suffix of ["", ":a:b", ":a%20b"]) {
      const did = `did:web:${new URL(origin).host.replace(":", "%3A")}${suffix}`;
      const response = await fetch(`${origin}/api/verify-and-attest`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ did, connectedAddress: wallet.address }),
      });
      expect(await response.json()).toMatchObject({ ok: true, status: "attested" });
    }
  });

  it("returns the record at the page's path to clients that prefer JSON", async () => {
    const { did } = await fixture.register();
    const asJson = await fetch(`${origin}/apps/${did.replaceAll("%", "%25")}`, {
      headers: { accept: "application/json" },
    });
    expect(asJson.status).toBe(200);
    expect(asJson.headers.get("content-type")).toContain("application/json");
    expect(asJson.headers.get("vary")).toMatch(/\baccept\b/i);
    expect(asJson.headers.get("content-security-policy")).toContain("sandbox");
    expect(await asJson.json()).toMatchObject({ did, verification: { version: "1.0.0" } });

    const missing = { headers: { accept: "application/json" } };
    expect((await fetch(`${origin}/apps/did:web:nobody.example`, missing)).status).toBe(404);

    const page = await fetch(`${origin}/apps/${did}`, { headers: { accept: "text/html,*/*;q=0.8" } });
    expect(page.headers.get("content-type")).toContain("text/html");
    expect(page.headers.get("vary")).toMatch(/\baccept\b/i);
    const html = await page.text();
    const data = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? "";
    expect(JSON.parse(data)).toMatchObject({ about: { "@id": did } });
    expect(html).toMatch(/property="og:image" content="https:\/\/registry\.example\/api\/card\/did:web:/);
  });

  it("serves badges, cards, sitemaps and text files for machines", async () => {
    const { did } = await fixture.register();
    const badge = await fetch(`${origin}/api/badge/${did}`);
    expect(badge.headers.get("content-type")).toBe("image/svg+xml; charset=utf-8");
    expect(badge.headers.get("cache-control")).toMatch(/^public, max-age=\d+$/);
    const { name } = getProvenSubject(did);
    expect(await badge.text()).toContain(`>Controlled by an account at ${name}<`);
    expect((await fetch(`${origin}/api/badge/did:web:nobody.example`)).status).toBe(404);
    expect((await fetch(`${origin}/api/card/${did}`)).headers.get("content-type")).toBe("image/png");

    expect(await (await fetch(`${origin}/sitemap.xml`)).text()).toContain(
      "<loc>https://registry.example/sitemaps/0</loc>",
    );
    expect(await (await fetch(`${origin}/sitemaps/0`)).text()).toContain(
      `<loc>https://registry.example${appPath(did)}</loc>`,
    );
    for (const path of ["/sitemaps/9", "/sitemaps/-1", "/sitemaps/0x0"]) {
      expect((await fetch(origin + path)).status, path).toBe(404);
    }
    for (const path of ["/robots.txt", "/llms.txt"]) {
      expect((await fetch(origin + path)).headers.get("content-type")).toBe("text/plain; charset=utf-8");
    }
    expect(await (await fetch(`${origin}/`)).text()).toMatch(/<link rel="icon" href="\/icon\.svg/);
  });

  // @threat services: A client that poisons a shared cache with its headers
  it("gives a shared cache the same answer, whatever headers a client sends", async () => {
    const { did } = await fixture.register();
    const hostile = {
      ...{ host: "evil.example", "x-forwarded-host": "evil.example", forwarded: "host=evil.example" },
      ...{ "x-forwarded-for": "203.0.113.9", "x-forwarded-port": "1", "x-forwarded-prefix": "/evil" },
      ...{ cookie: "a=evil", authorization: "Bearer evil", origin: "https://evil.example" },
      ...{ "x-request-id": "request-of-evil", "accept-language": "xx", "cdn-loop": "app-registry" },
      ...{ "x-original-url": "/evil", "x-rewrite-url": "/evil", "x-http-method-override": "POST" },
      ...{ "x-middleware-subrequest": "proxy:proxy", "x-middleware-rewrite": "/evil", "next-url": "/evil" },
    };
    const paths = ["/api/search", `/api/data-url/${did}/v/1.0`, `/api/badge/${did}`];
    for (const path of [...paths, "/.well-known/ai-catalog.json"]) {
      const [one, other] = [await ask("GET", path), await ask("GET", path, hostile)];
      expect(one.headers["cache-control"], path).toMatch(/^public/);
      expect({ ...other, headers: { ...other.headers, date: one.headers.date } }, path).toEqual(one);
    }
  });

  it("returns a problem for an unknown route", async () => {
    const response = await fetch(`${origin}/api/nothing`);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toMatchObject({ status: 404, code: "not-found" });
  });

  it("returns 405 for an unsupported method", async () => {
    for (const path of ["/api/search", "/api/data-url/did:web:a.example/v/1.0", "/api/health"]) {
      const response = await fetch(`${origin}${path}`, { method: "DELETE" });
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
      expect(await response.json()).toMatchObject({ code: "method-not-allowed" });
    }
  });

  it("rejects methods other than GET and HEAD on a page", async () => {
    for (const method of ["PUT", "PATCH", "DELETE"]) {
      const { status, headers } = await ask(method, "/apps");
      expect([status, headers.allow]).toEqual([405, "GET, HEAD"]);
    }
  });

  it("gives each page a policy of its own, under which only its own scripts run and no site can frame it", async () => {
    const paths = ["/", "/apps", "/register", "/my", "/prober", "/apps/did:web:nobody.example", "/nothing"];
    const nonces = new Set<string | undefined>();
    for (const path of paths) {
      const { headers, body } = await ask("GET", path);
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
    const { body } = await ask("GET", "/prober");
    expect(body).toContain("AppRegistryProber/1.0 (+https://registry.example/prober)");
    expect(body).toContain("User-agent: AppRegistryProber");
  });

  it("requires https for every page, route and file of a proxy with TLS", async () => {
    const file = /"(\/_next\/static\/[^"]+\.js)"/.exec((await ask("GET", "/")).body)?.[1] ?? "";
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
      const { status, headers } = await ask("GET", path, { "x-forwarded-proto": "https" });
      expect(status, path).toBe(expected);
      expect(headers["strict-transport-security"], path).toBe("max-age=31536000");
      expect(headers["x-content-type-options"], path).toBe("nosniff");
      if (String(headers["content-type"]).startsWith("text/html")) {
        expect(headers["content-security-policy"], path).toContain("'strict-dynamic'");
      }
    }
    expect((await ask("GET", "/")).headers).not.toHaveProperty("strict-transport-security");
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
    const { headers } = await ask("GET", path);
    expect(headers["content-security-policy"]).toMatch(/^default-src '(?:self|none)';[^,]*$/);
  });

  it.each(["null", "x"])("rejects a form from the origin %s", async (origin) => {
    const { status, headers } = await ask("POST", "/apps", { origin });
    expect(status).toBe(403);
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
  });

  it("has no image optimizer that would request its own routes", async () => {
    const { status } = await ask("GET", "/_next/image?url=%2Fapi%2Fsearch&w=640&q=75");
    expect(status).toBe(404);
  });

  // @threat services: Clients that repeat themselves or use up others' checks, or a limit that refuses only once
  it("counts all clients together without a stated proxy, whatever address their headers contain", async () => {
    const read = (address: string) =>
      fetch(`${origin}/api/import`, { method: "POST", headers: { "x-forwarded-for": address } });
    expect((await read("203.0.113.1")).status).toBe(415);
    const refused = await read("203.0.113.2");
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: "rate-limited" });
  });
});
