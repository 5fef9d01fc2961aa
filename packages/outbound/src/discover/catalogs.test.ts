import { describe, expect, it } from "vitest";
import { serveFourServices } from "../../test/fourServices.ts";
import { serveSite } from "../../test/serveSite.ts";
import { createGuardedFetch } from "../fetch/guardedFetch.ts";
import { createProposal } from "./createProposal.ts";
import { discoverService } from "./discoverService.ts";
import { readCatalog } from "./read/catalog.ts";

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
      { kind: "mcp", url: `${origin}/maps`, identifier: "urn:air:example.com:agent:maps" },
      { kind: "openapi", identifier: "urn:air:example.com:agent:trains" },
    ]);
    expect(findings[1]?.metadata.endpoints).toEqual([{ name: "REST", endpoint: `${origin}/v1` }]);
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
    expect(names(discovery)).toEqual(["tailor", "baker"]);
    expect(discovery.findings[0]).toMatchObject({ identifier: "urn:t" });
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

  it("notes how many entries were left out", async () => {
    const files: Record<string, object> = {};
    const entries = Array.from({ length: 40 }, (_, index) => {
      files[`/${index}.json`] = card(`agent-${index}`);
      return entry(`agent-${index}`, { url: `/${index}.json` });
    });
    files[place] = catalog(
      entry("elsewhere", { url: "https://example.org/card.json" }),
      entry("skill", { url: "/skill.zip" }, "application/agent-skills+zip"),
      ...entries,
    );
    const { origin, asked } = await serveSite(files);
    const { findings, notes, looked } = await discoverService(origin + place, source);
    expect(findings.length).toBeGreaterThan(20);
    expect(asked.length).toBeLessThanOrEqual(30);
    expect(looked.length).toBeLessThanOrEqual(30);
    const rest = 42 - findings.length;
    expect(notes).toEqual([
      `Left out ${rest} of 42 entries of the catalog at ${origin}${place}: ` +
        "1 on another site (https://example.org/card.json); 1 of the type application/agent-skills+zip; " +
        `${rest - 2} beyond the limits of one search. ` +
        "If an address on another site is yours, enter that address. " +
        "Only agents, MCP servers, APIs and catalogs are read.",
    ]);
  });

  it("counts the entries that were left out by reason, each URL once, and names three URLs", async () => {
    const far = ["a", "b", "c", "d", "d"].map((name) => entry(name, { url: `https://${name}.example/` }));
    const { origin } = await serveSite({
      [place]: catalog(
        ...far,
        entry("text", { url: "/index.md" }, "text/markdown"),
        entry("list", { url: "/llms.txt" }, "text/plain"),
        entry("data", { url: "/data.json" }, "application/ld+json\u202e"),
        entry("gone", { url: "/gone.json" }),
        entry("other", { url: "/other.json" }),
        entry("bare", {}),
        entry("odd", { data: { a: 1 } }),
      ),
      "/other.json": { a: 1 },
    });
    const { notes = [] } = await discoverService(origin + place, source);
    expect(notes.at(-1)?.replace(/\. If .*/, "")).toBe(
      `Left out 11 of 11 entries of the catalog at ${origin}${place}: ` +
        "4 on another site (https://a.example/, https://b.example/, https://c.example/ and 1 more); " +
        `2 documents; 1 of the type application/ld+json\\u{202e}; 1 answering 404 (${origin}/gone.json); ` +
        `2 unreadable (${origin}/other.json); 1 without an address`,
    );
  });

  it("names a few of many reasons", async () => {
    const types = Array.from({ length: 3_000 }, (_, id) =>
      entry("a", { url: "/a" }, `${id}/${"x".repeat(200)}`),
    );
    const { origin } = await serveSite({ [place]: catalog(...types) });
    const { notes } = await discoverService(origin + place, source);
    expect(notes?.join().length).toBeLessThan(1_000);
  });

  it("reads a catalog that has services instead of entries, and says that it isn't valid", async () => {
    const agent = { type: "agent-card", protocol: "a2a", url: "/t.json" };
    const services = [agent, { type: "documentation", protocol: "llms-txt", url: "/llms.txt" }];
    const files = { [place]: { version: "1.0", services }, "/t.json": card("tailor") };
    const { origin } = await serveSite(files);
    const discovery = await discoverService(origin + place, source);
    expect(names(discovery)).toEqual(["tailor"]);
    expect(discovery.notes).toEqual([
      `The catalog at ${origin}${place} isn't valid. An AI Catalog has the fields specVersion and entries.`,
      `Left out 1 of 2 entries of the catalog at ${origin}${place}: 1 of the type documentation llms-txt. ` +
        "Only agents, MCP servers, APIs and catalogs are read.",
    ]);
  });

  it("says that a catalog lists nothing", async () => {
    const { origin } = await serveSite({ [place]: catalog() });
    const { notes } = await discoverService(origin + place, source);
    expect(notes?.at(-1)).toBe(`The catalog at ${origin}${place} lists no service.`);
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
    expect(discovery.notes).toEqual([expect.stringContaining("Left out 1 of 1 entries")]);
    expect(asked.filter((line) => line === `GET ${place}`)).toHaveLength(1);
  });

  // @threat services: An imported document with secrets, thousands of places or unusable values
  it("reads at most a hundred entries inside all catalogs", async () => {
    const inside = Array.from({ length: 150 }, (_, index) =>
      entry(`${index}`, { data: card(`agent-${index}`) }),
    );
    const nested = [inside, inside].map((entries, index) =>
      entry(`catalog-${index}`, { data: catalog(...entries) }, "application/ai-catalog+json"),
    );
    const { origin } = await serveSite({ [place]: catalog(...nested) });
    const { findings } = await discoverService(origin + place, source);
    expect(findings.length).toBeLessThanOrEqual(100);
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
    expect(notes?.join()).toContain("Left out 5 of 5 entries");
  });
});

describe("discoverService, with an API catalog", () => {
  const api = (title: string) => ({ openapi: "3.1.0", info: { title } });
  const wellKnown = "/.well-known/api-catalog";

  it("offers each service, and not its pages", async () => {
    const { origin } = await serveSite({
      [wellKnown]: {
        linkset: [
          {
            anchor: "https://api.example.com/one",
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

describe("readCatalog, with resources instead of entries", () => {
  it("reads them, and says which fields the catalog needs", () => {
    const resources = [
      { type: "a2a-agent-card", url: "/card.json" },
      { type: "llms-txt", url: "/llms.txt" },
    ];
    expect(readCatalog({ version: "0.9", resources }, `https://example.com${place}`)).toMatchObject({
      entries: [{ url: "/card.json" }, { reason: "of the type llms-txt" }],
      flaw: "An AI Catalog has the fields specVersion and entries.",
    });
  });
});
