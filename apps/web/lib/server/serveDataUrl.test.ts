import { dataUrlPath, hashDocument } from "@app-registry/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { route } from "./route.ts";
import { serveDataUrl } from "./serveDataUrl.ts";
import { type RegistryFixture, startRegistry } from "./test/registryFixture.ts";

let fixture: RegistryFixture;
beforeAll(async () => {
  fixture = await startRegistry(18574);
}, 90_000);
afterAll(() => fixture.stop());

describe("GET /api/data-url", () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    route((request) => serveDataUrl(request, fixture.registry))(
      new Request(`http://localhost${path}`, { headers }),
    );
  const version = { major: 1, minor: 0, patch: 0 };

  it.each([0, 1] as const)("serves the text that hashes to the record, algorithm %i", async (algorithm) => {
    const { did, canonical, dataHash } = await fixture.register({ algorithm });
    const response = await get(dataUrlPath(did, version));
    const text = await response.text();
    expect(text).toBe(canonical);
    expect(hashDocument(text, algorithm).dataHash).toBe(dataHash);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/json",
      etag: `"${dataHash}"`,
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringContaining("sandbox"),
      "access-control-allow-origin": "*",
    });
  });

  it("takes the DID literally, encoded once more, and wholly encoded", async () => {
    const { did, canonical } = await fixture.register();
    for (const spelt of [did, did.replaceAll("%", "%25"), encodeURIComponent(did)]) {
      expect(await (await get(`/api/data-url/${spelt}/v/1.0.0`)).text()).toBe(canonical);
    }
  });

  it("answers 304 to the dataHash, without asking the document's host", async () => {
    const { did, dataHash } = await fixture.register({ onChain: false });
    const asked = fixture.host.requests().length;
    for (const tag of [`"${dataHash}"`, `W/"${dataHash}"`, `"x", "${dataHash}"`, "*"]) {
      expect((await get(dataUrlPath(did, version), { "if-none-match": tag })).status).toBe(304);
    }
    expect(fixture.host.requests()).toHaveLength(asked);
    expect((await get(dataUrlPath(did, version), { "if-none-match": '"x"' })).status).toBe(200);
  });

  it("serves the highest patch of a minor version, and older versions still", async () => {
    const { did, canonical } = await fixture.register();
    const next = hashDocument('{"name":"Newer"}', 0);
    const hash = await fixture.publisher.updateAppControlled({
      did,
      version: { ...version, patch: 1 },
      dataUrl: `${fixture.host.origin}/newer.json`,
      dataHash: next.dataHash,
      dataHashAlgorithm: 0,
      metadataJson: next.canonical,
    });
    await fixture.publisher.waitForReceipt({ hash });
    const latest = await get(`/api/data-url/${did}/v/1.0`);
    expect(await latest.text()).toBe(next.canonical);
    expect(latest.headers.get("cache-control")).toBe("public, no-cache");
    expect(await (await get(dataUrlPath(did, version))).text()).toBe(canonical);
    expect(await (await get(`/api/data-url/${did}/v/1.0.1`)).text()).toBe(next.canonical);
  });

  it("canonicalises what dataUrl serves", async () => {
    const { did, canonical, path } = await fixture.register({ onChain: false });
    fixture.host.put(path, JSON.stringify(JSON.parse(canonical), null, 4));
    expect(await (await get(dataUrlPath(did, version))).text()).toBe(canonical);
  });

  it.each([
    ["has changed", '{"name":"Another"}', 409, "hash-mismatch"],
    ["can't be canonicalised", '{"a":9007199254740993}', 409, "document-invalid"],
  ])("answers %s: never the document", async (_, served, status, code) => {
    const { did } = await fixture.register({ onChain: false, served });
    const response = await get(dataUrlPath(did, version));
    expect(response.status).toBe(status);
    const body = await response.json();
    expect(body).toMatchObject({ code });
    expect(JSON.stringify(body)).not.toContain("Another");
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  it("answers 404 for what was never registered", async () => {
    const { did } = await fixture.register();
    expect((await get(`/api/data-url/${did}/v/1.0.9`)).status).toBe(404);
    expect((await get(`/api/data-url/${did}/v/2.0`)).status).toBe(404);
    expect((await get("/api/data-url/did:web:nobody.example/v/1.0.0")).status).toBe(404);
  });

  it.each([
    "did:web:a.example",
    "did:web:a.example/v/1",
    "did:web:a.example/v/1.0.256",
    "x/v/1.0",
    "%/v/1.0",
  ])("answers 400 for %s", async (path) => {
    expect((await get(`/api/data-url/${path}`)).status).toBe(400);
  });

  it("does not fetch in circles from a server of its kind", async () => {
    const { did } = await fixture.register({ onChain: false });
    expect((await get(dataUrlPath(did, version), { "cdn-loop": "app-registry" })).status).toBe(508);
  });
});
