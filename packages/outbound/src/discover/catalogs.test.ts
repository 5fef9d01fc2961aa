import { describe, expect, it } from "vitest";
import { serveFourServices } from "../../test/fourServices.ts";
import { serveSite } from "../../test/serveSite.ts";
import { createGuardedFetch } from "../fetch/guardedFetch.ts";
import { discoverService } from "./discoverService.ts";
import { createProposal } from "./findingList.ts";

const source = { guardedFetch: createGuardedFetch({ allowLoopback: true, timeout: 30_000 }) };
const place = "/.well-known/ai-catalog.json";
const card = (name: string, more: object = {}) => ({
  name,
  version: "1.0.0",
  supportedInterfaces: [{ url: `https://${name}.example.com/a2a`, protocolBinding: "JSONRPC" }],
  skills: [{ id: name, name, description: name, tags: [name] }],
  ...more,
});
const agentType = "application/a2a-agent-card+json";
const entry = (name: string, content: object, type = agentType) => ({
  identifier: `urn:air:example.com:agent:${name}`,
  displayName: name,
  type,
  ...content,
});
const catalog = (...entries: object[]) => ({ specVersion: "1.0", entries });
const names = ({ findings }: Awaited<ReturnType<typeof discoverService>>) =>
  findings.map(({ metadata }) => metadata.name);

describe("discoverService, with an AI catalog", () => {
  it.each(["", place])("offers its two agents as two choices at the address %s", async (path) => {
    const { origin } = await serveSite({
      [place]: catalog(entry("tailor", { url: "/a/card.json" }), entry("baker", { url: "/b/card.json" })),
      "/a/card.json": card("tailor"),
      "/b/card.json": card("baker"),
    });
    const discovery = await discoverService(origin + path, source);
    // The order is that of the catalog.
    expect(names(discovery)).toEqual(["tailor", "baker"]);
    expect(discovery).toMatchObject({
      needsChoice: true,
      findings: [
        { identifier: "urn:air:example.com:agent:tailor", url: `${origin}/a/card.json` },
        { identifier: "urn:air:example.com:agent:baker", url: `${origin}/b/card.json` },
      ],
    });
    const { metadata } = createProposal(discovery, discovery.findings[1]);
    expect(metadata.traits).toEqual(["api:a2a", "baker"]);
    expect(JSON.stringify(metadata)).not.toContain("tailor");
  });

  it("reads agents inside the catalog, with their interface as endpoint", async () => {
    const { origin } = await serveSite({ [place]: catalog(entry("tailor", { data: card("tailor") })) });
    const discovery = await discoverService(origin, source);
    expect(discovery).not.toHaveProperty("needsChoice");
    expect(discovery).not.toHaveProperty("notes");
    expect(discovery.findings).toMatchObject([
      {
        kind: "a2a",
        url: origin + place,
        identifier: "urn:air:example.com:agent:tailor",
        metadata: { name: "tailor", endpoints: [{ endpoint: "https://tailor.example.com/a2a" }] },
        notes: [expect.stringContaining("only inside")],
      },
    ]);
  });

  it("tells agents inside one catalog apart by their identifiers", async () => {
    const inside = ["tailor", "baker"].map((name) => entry(name, { data: card(name) }));
    const { origin } = await serveSite({ [place]: catalog(...inside) });
    const discovery = await discoverService(origin + place, source);
    expect(names(discovery)).toEqual(["tailor", "baker"]);
    expect(discovery).toMatchObject({ needsChoice: true });
  });

  it("reads an API and the servers of a card inside the catalog", async () => {
    const api = { openapi: "3.1.0", info: { title: "Trains" }, servers: [{ url: "/v1" }] };
    const server = { name: "com.example/maps", title: "Maps", remotes: [{ type: "sse", url: "/maps" }] };
    const { origin } = await serveSite({
      [place]: catalog(
        entry("maps", { data: server }, "application/mcp-server-card+json"),
        entry("trains", { data: api }, "application/vnd.oai.openapi+json"),
      ),
    });
    const { findings } = await discoverService(origin, source);
    expect(findings).toMatchObject([
      { kind: "openapi", identifier: "urn:air:example.com:agent:trains" },
      { kind: "mcp", url: `${origin}/maps`, identifier: "urn:air:example.com:agent:maps" },
    ]);
    expect(findings[0]?.metadata.endpoints).toEqual([{ name: "REST", endpoint: `${origin}/v1` }]);
  });

  it("reads catalogs in catalogs, by URL and inside, also with the earlier field name", async () => {
    const nested = "application/ai-catalog+json";
    const { origin } = await serveSite({
      [place]: catalog(
        entry("far", { url: "/far.json" }, nested),
        entry("near", { data: catalog(entry("baker", { data: card("baker") })) }, nested),
      ),
      "/far.json": catalog({ identifier: "urn:t", mediaType: agentType, url: "/t.json" }),
      "/t.json": card("tailor"),
    });
    const discovery = await discoverService(origin, source);
    expect(names(discovery)).toEqual(["baker", "tailor"]);
    expect(discovery.findings[1]).toMatchObject({ identifier: "urn:t" });
    expect(discovery).not.toHaveProperty("notes");
  });

  it("reads an MCP server whose entry has its endpoint instead of a card", async () => {
    const { origin } = await serveFourServices({
      [place]: catalog(entry("red", { url: "/mcp" }, "application/mcp-server+json")),
    });
    const discovery = await discoverService(origin + place, source);
    expect(discovery.findings[0]).toMatchObject({
      kind: "mcp",
      identifier: "urn:air:example.com:agent:red",
      metadata: { name: "red" },
    });
    expect(discovery).not.toHaveProperty("notes");
  });

  it("reads the catalog to which a page links", async () => {
    const { origin } = await serveSite({
      "/": '<title>Town</title><link rel="ai-catalog" href="/town.json">',
      "/town.json": catalog(entry("tailor", { url: "/t.json" })),
      "/t.json": card("tailor"),
    });
    const { findings } = await discoverService(origin, source);
    expect(findings).toMatchObject([
      { kind: "a2a", identifier: "urn:air:example.com:agent:tailor" },
      { kind: "website" },
    ]);
  });

  it("names an agent at a well-known path by its entry, once", async () => {
    const path = "/.well-known/agent-card.json";
    const { origin } = await serveSite({
      [path]: card("tailor"),
      [place]: catalog(entry("tailor", { url: path })),
    });
    const discovery = await discoverService(origin, source);
    expect(discovery.findings).toMatchObject([{ identifier: "urn:air:example.com:agent:tailor" }]);
    expect(discovery).not.toHaveProperty("needsChoice");
  });

  it("offers no page, text or data of a catalog, and reads documents of any type", async () => {
    const { origin } = await serveFourServices({
      [place]: catalog(
        entry("text", { url: "/index.md" }, "text/markdown"),
        entry("list", { url: "/llms.txt" }, "text/plain"),
        entry("data", { url: "/data" }, "application/ld+json"),
        entry("apis", { url: "/.well-known/api-catalog" }, "application/linkset+json"),
        entry("plugin", { url: "/ai-plugin.json" }, "application/json"),
      ),
      "/ai-plugin.json": { name_for_human: "Town", api: { type: "openapi", url: "/openapi.json" } },
    });
    const { findings } = await discoverService(origin + place, source);
    expect(findings).toMatchObject([
      { kind: "openapi", url: `${origin}/openapi.json`, identifier: "urn:air:example.com:agent:plugin" },
      { kind: "website" },
    ]);
  });

  it("takes no text of the catalog for one of a service", async () => {
    const list = catalog(entry("tailor", { url: "/gone.json" }));
    const { origin } = await serveSite({ [place]: { ...list, name: "Town", version: "0.9.0" } });
    const { findings } = await discoverService(origin, source);
    expect(findings).toMatchObject([{ kind: "a2a", isUnchecked: true }]);
    expect(findings[0]).not.toHaveProperty("version");
    expect(findings[0]).not.toHaveProperty("described");
  });

  it("ends with catalogs that contain each other, or that nest without end", async () => {
    const nested = "application/ai-catalog+json";
    let deep: object = catalog(entry("deep", { data: card("deep") }));
    for (let depth = 0; depth < 10; depth++) deep = catalog(entry(`level-${depth}`, { data: deep }, nested));
    const { origin, asked } = await serveSite({
      [place]: catalog(entry("a", { url: "/a.json" }, nested), entry("deep", { data: deep }, nested)),
      "/a.json": catalog(entry("b", { url: place }, nested), entry("tailor", { url: "/t.json" })),
      "/t.json": card("tailor"),
    });
    const discovery = await discoverService(origin + place, source);
    expect(names(discovery)).toEqual(["tailor"]);
    expect(asked.filter((line) => line === `GET ${place}`)).toHaveLength(1);
  });

  // @threat services: An imported document with secrets, thousands of places or unusable values
  it("reads at most twenty documents inside a catalog", async () => {
    const inside = Array.from({ length: 150 }, (_, index) =>
      entry(`${index}`, { data: card(`agent-${index}`) }),
    );
    const nested = [inside, inside].map((entries, index) =>
      entry(`catalog-${index}`, { data: catalog(...entries) }, "application/ai-catalog+json"),
    );
    const { origin } = await serveSite({ [place]: catalog(...nested) });
    const { findings } = await discoverService(origin + place, source);
    expect(findings.length).toBeLessThanOrEqual(20);
  });

  it("ignores entries of the wrong shape", async () => {
    const { origin } = await serveSite({
      [place]: {
        specVersion: "1.0",
        entries: [null, 1, {}, { type: 7, url: 7 }, { type: agentType, data: 3 }],
      },
    });
    const { findings, notes } = await discoverService(origin + place, source);
    expect(findings).toEqual([]);
    expect(notes?.join()).toContain("names no address of a service");
  });
});

describe("discoverService, with an API catalog", () => {
  const api = (title: string) => ({ openapi: "3.1.0", info: { title }, servers: [{ url: "/one" }] });
  const wellKnown = "/.well-known/api-catalog";

  it("offers each service, and not its pages", async () => {
    const { origin } = await serveSite({
      [wellKnown]: {
        linkset: [
          {
            anchor: "/one",
            "service-desc": [{ href: "/one.html" }, { href: "/one.json" }],
            "service-doc": [{ href: "/docs" }],
          },
          {
            anchor: "/mcp",
            "service-desc": [{ href: "/one.json" }],
            describedby: [{ href: "/server-card.json" }],
          },
        ],
      },
      "/one.json": api("One"),
    });
    const discovery = await discoverService(origin, source);
    expect(discovery.needsChoice).toBeUndefined();
    expect(discovery.findings).toMatchObject([
      { kind: "openapi", url: `${origin}/one.json`, metadata: { name: "One" } },
      { kind: "mcp", url: `${origin}/mcp`, isUnchecked: true },
    ]);
  });

  it("reads the items of a catalog without descriptions, and catalogs in it", async () => {
    const { origin } = await serveSite({
      [wellKnown]: { linkset: [{ anchor: "/", "api-catalog": [{ href: "/more" }] }] },
      "/more": { linkset: [{ anchor: "/", item: [{ href: "/one.json" }] }] },
      "/one.json": api("One"),
    });
    const discovery = await discoverService(origin, source);
    expect(names(discovery)).toEqual(["One"]);
    expect(discovery.findings[0]).not.toHaveProperty("identifier");
  });
});
