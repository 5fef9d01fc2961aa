import { dataUrlPath, hashDocument } from "@app-registry/sdk";
import { startFaultyRpc } from "@app-registry/test-kit/faultyRpc";
import { describe, expect, it, onTestFinished } from "vitest";
import { sharedForBlock } from "../http/request.ts";
import type { Registry } from "../registry.ts";
import { provideRegistry } from "../test/registryFixture.ts";
import { serve } from "../test/serve.ts";
import { serveDataUrl } from "./serveDataUrl.ts";

const fixture = provideRegistry();

describe("GET /api/data-url", () => {
  const get = (path: string, headers: Record<string, string> = {}, from: Registry = fixture.registry) =>
    serve((request) => serveDataUrl(request, from))(new Request(`http://localhost${path}`, { headers }));
  const version = { major: 1, minor: 0, patch: 0 };

  it.each([0, 1] as const)(
    "serves the text whose hash the record contains, algorithm %i",
    async (algorithm) => {
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
    },
  );

  it("accepts the DID literally, encoded once more, and fully encoded", async () => {
    const { did, canonical } = await fixture.register();
    for (const spelt of [did, did.replaceAll("%", "%25"), encodeURIComponent(did)]) {
      expect(await (await get(`/api/data-url/${spelt}/v/1.0.0`)).text()).toBe(canonical);
    }
  });

  it("returns 304 for the dataHash without requesting the document's host", async () => {
    const { did, dataHash } = await fixture.register({ onChain: false });
    const asked = fixture.host.requests().length;
    for (const tag of [`"${dataHash}"`, `W/"${dataHash}"`, `"x", "${dataHash}"`, "*"]) {
      expect((await get(dataUrlPath(did, version), { "if-none-match": tag })).status).toBe(304);
    }
    expect(fixture.host.requests()).toHaveLength(asked);
    expect((await get(dataUrlPath(did, version), { "if-none-match": '"x"' })).status).toBe(200);
  });

  it("serves the latest patch of a minor version, and older versions", async () => {
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
    expect(latest.headers.get("cache-control")).toBe(sharedForBlock);
    expect(await (await get(dataUrlPath(did, version))).text()).toBe(canonical);
    expect(await (await get(`/api/data-url/${did}/v/1.0.1`)).text()).toBe(next.canonical);
  });

  // @threat documents: A check of the raw text, with another algorithm or version, or of a changed document
  it("canonicalizes the response of dataUrl", async () => {
    const { did, canonical, path } = await fixture.register({ onChain: false });
    fixture.host.put(path, JSON.stringify(JSON.parse(canonical), null, 4));
    expect(await (await get(dataUrlPath(did, version))).text()).toBe(canonical);
  });

  // @threat documents: A check of the raw text, with another algorithm or version, or of a changed document
  it.each([
    ["has changed", '{"name":"Another"}', 409, "hash-mismatch"],
    ["can't be canonicalized", '{"a":9007199254740993}', 409, "document-invalid"],
  ])("answers a dataUrl that %s without the document", async (_, served, status, code) => {
    const { did } = await fixture.register({ onChain: false, served });
    const response = await get(dataUrlPath(did, version));
    expect(response.status).toBe(status);
    const body = await response.json();
    expect(body).toMatchObject({ code });
    expect(JSON.stringify(body)).not.toContain("Another");
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  it("returns 404 for a version that was never registered", async () => {
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
  ])("returns 400 for %s", async (path) => {
    expect((await get(`/api/data-url/${path}`)).status).toBe(400);
  });

  it("does not fetch in circles from a server of its kind", async () => {
    const { did } = await fixture.register({ onChain: false });
    expect(
      (
        await get(dataUrlPath(did, version), {
          "cdn-loop": "app-registry",
        })
      ).status,
    ).toBe(508);
  });

  describe("while the RPC is unavailable", () => {
    /** Creates a registry whose RPC can be interrupted. */
    async function startAway() {
      const rpc = await startFaultyRpc(fixture.rpcUrl);
      onTestFinished(() => rpc.close());
      return { rpc, from: fixture.registryWith({ RPC_URL: rpc.url }) };
    }

    // @threat services: Documents served without reading the chain
    it.each([true, false])(
      "serves an x.y.z that it served before, marked as cached, with its JSON on the chain: %s",
      async (onChain) => {
        const { rpc, from } = await startAway();
        const { did, canonical, dataHash } = await fixture.register({ onChain });
        const path = dataUrlPath(did, version);
        const fresh = await get(path, {}, from);
        expect([fresh.status, fresh.headers.get("cache-status")]).toEqual([200, null]);
        rpc.break(() => "drop");

        const kept = await get(path, {}, from);
        expect([kept.status, await kept.text()]).toEqual([200, canonical]);
        expect(Object.fromEntries(kept.headers)).toMatchObject({
          "cache-status": "app-registry; hit; detail=chain-unavailable",
          "cache-control": "public, no-cache",
          "content-type": "application/json",
          "content-security-policy": expect.stringContaining("sandbox"),
          etag: `"${dataHash}"`,
        });
        const unchanged = await get(path, { "if-none-match": `"${dataHash}"` }, from);
        expect([unchanged.status, await unchanged.text()]).toEqual([304, ""]);

        rpc.heal();
        expect((await get(path, {}, from)).headers.get("cache-status")).toBeNull();
      },
    );

    it("serves it if the RPC hangs", async () => {
      const { rpc, from } = await startAway();
      const { did, canonical } = await fixture.register();
      await get(dataUrlPath(did, version), {}, from);
      rpc.break(() => ({ delay: 60_000 }));
      expect(await (await get(dataUrlPath(did, version), {}, from)).text()).toBe(canonical);
    });

    it("returns 503 for a version that it never served, and for an x.y, which may have a newer patch", async () => {
      const { rpc, from } = await startAway();
      const [{ did }, unread] = [await fixture.register(), await fixture.register()];
      for (const patch of ["", ".0"]) await get(`/api/data-url/${did}/v/1.0${patch}`, {}, from);
      rpc.break(() => "drop");
      for (const path of [dataUrlPath(unread.did, version), `/api/data-url/${did}/v/1.0`]) {
        const answer = await get(path, {}, from);
        expect([answer.status, await answer.json()]).toMatchObject([503, { code: "chain-unavailable" }]);
      }
    });

    // @threat services: Documents served without reading the chain
    it("caches only documents that match their record", async () => {
      const { rpc, from } = await startAway();
      const { did } = await fixture.register({ onChain: false, served: '{"name":"Another"}' });
      expect((await get(dataUrlPath(did, version), {}, from)).status).toBe(409);
      expect((await get(`/api/data-url/${did}/v/1.0.9`, {}, from)).status).toBe(404);
      rpc.break(() => "drop");
      for (const path of [dataUrlPath(did, version), `/api/data-url/${did}/v/1.0.9`]) {
        expect((await get(path, {}, from)).status).toBe(503);
      }
    });

    // @threat services: Documents served without reading the chain
    it("serves no document that the chain's last answer no longer recorded", async () => {
      const { rpc, from } = await startAway();
      const snapshot = await fixture.chain.snapshot();
      const { did } = await fixture.register();
      expect((await get(dataUrlPath(did, version), {}, from)).status).toBe(200);
      await fixture.chain.revert({ id: snapshot });
      expect((await get(dataUrlPath(did, version), {}, from)).status).toBe(404);
      rpc.break(() => "drop");
      expect((await get(dataUrlPath(did, version), {}, from)).status).toBe(503);
    });
  });
});
