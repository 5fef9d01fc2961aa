import { toPostgresText } from "@app-registry/index/document/keys";
import { parseDocument } from "@app-registry/index/document/parseDocument";
import { recordLabels } from "@app-registry/index/document/recordLabels";
import { traitHash } from "@app-registry/sdk";
import { describe, expect, it } from "vitest";

const parse = (value: unknown) =>
  parseDocument(new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value)));

describe("toPostgresText", () => {
  it("removes NUL, replaces lone surrogates and never splits a character", () => {
    expect(toPostgresText("a\0b\ud800c")).toBe("ab\ufffdc");
    expect(toPostgresText("aa😀", 4)).toBe("aa😀");
    expect(toPostgresText("aa😀bb", 4)).toBe("aa…");
  });
});

describe("parseDocument", () => {
  it("reads the labels and the texts of all fields that the metadata schema marks for search", () => {
    const labels = parse({
      name: " Weather ",
      description: "Forecasts",
      publisher: "Acme",
      image: "https://acme.com/icon.png",
      traits: ["api:mcp", "weather"],
      endpoints: [
        {
          name: "MCP",
          endpoint: "https://acme.com/mcp",
          tools: [{ name: "getForecast", description: "Tomorrow's sky", inputSchema: { type: "object" } }],
          prompts: [{ name: "plan", description: "A trip", arguments: [] }],
          resources: [{ uri: "x://stations", name: "stations", description: "All of them" }],
        },
        {
          name: "A2A",
          endpoint: "https://acme.com/.well-known/agent-card.json",
          skills: [
            { id: "s", name: "Warn", description: "Of storms", tags: ["sea"], examples: ["Any gales?"] },
          ],
        },
      ],
      representativeQueries: ["Do I need a coat?"],
    });
    expect(labels).toEqual({
      name: "Weather",
      description: "Forecasts",
      addresses: ["endpoint https://acme.com/mcp", "endpoint https://acme.com/.well-known/agent-card.json"],
      reached: ["endpoint https://acme.com/mcp", "endpoint https://acme.com/.well-known/agent-card.json"],
      publisher: "Acme",
      image: "https://acme.com/icon.png",
      endpoints: [
        { name: "MCP", endpoint: "https://acme.com/mcp" },
        { name: "A2A", endpoint: "https://acme.com/.well-known/agent-card.json" },
      ],
      details: {},
      traits: ["api:mcp", "weather"],
      toolNames: ["getForecast", "stations", "plan", "Warn", "sea"],
      text: [
        "Forecasts",
        "Tomorrow's sky",
        "All of them",
        "A trip",
        "Of storms",
        "Any gales?",
        "Do I need a coat?",
      ].join("\n"),
      problems: [],
    });
  });

  it.each([["{"], ["[]"], ["null"], ['"text"'], [""], ["\ufeff{}"]])(
    "returns no labels for %j and states the reason",
    (text) => {
      const labels = parse(text);
      expect(labels.name).toBeNull();
      expect(labels.problems).toHaveLength(1);
    },
  );

  it("returns no labels for bytes that are not UTF-8", () => {
    expect(parseDocument(new Uint8Array([0x7b, 0xff, 0x7d])).problems[0]?.code).toBe("not-json");
  });

  it("keeps the valid fields of a document and lists the invalid one as a problem", () => {
    const labels = parse({ name: 7, description: "Still here", traits: "api:rest" });
    expect(labels).toMatchObject({ name: null, description: "Still here", traits: [] });
    expect(labels.problems.map(({ pointer }) => pointer)).toEqual(
      expect.arrayContaining(["/name", "/traits"]),
    );
  });

  it("omits an image that could run as a script", () => {
    expect(parse({ name: "x", image: "javascript:alert(1)" }).image).toBeNull();
  });

  it("accepts tools of any shape", () => {
    const odd = [{ tools: 3 }, { tools: [null, 4, { name: 5 }, { name: "ok" }] }, null, "x"];
    expect(parse({ name: "x", endpoints: odd }).toolNames).toEqual(["ok"]);
    expect(parse({ name: "x", endpoints: {} }).toolNames).toEqual([]);
  });

  it("reads the packages that server.json allows, the successor and the reason of a deprecation", () => {
    const stdio = { type: "stdio" };
    const npm = { registryType: "npm", identifier: "@acme/weather", version: "1.2.3", transport: stdio };
    const key = { name: "KEY", isSecret: true, variables: { "a-b": { default: "x" } } };
    const { details } = parse({
      packages: [
        { ...npm, extra: 1, environmentVariables: [{ ...key, extra: 1 }] },
        {
          ...npm,
          packageArguments: [
            { type: "named", name: "--port" },
            { type: "positional", value: "a\0b" },
          ],
        },
        ...[null, "npm", { ...npm, transport: undefined }, { ...npm, transport: { type: "http" } }],
        ...[
          { ...npm, version: "latest" },
          { ...npm, identifier: " " },
          { ...npm, fileSha256: "AB" },
        ],
        { ...npm, packageArguments: [{ type: "named" }] },
        { ...npm, packageArguments: [{ type: "positional" }] },
        { ...npm, runtimeArguments: Array(51).fill({ type: "positional", value: "" }) },
        { ...npm, registryBaseUrl: "https://a.test/|" },
        { ...npm, transport: { type: "sse", url: "javascript:alert(1)" } },
      ],
      deprecation: " Use the next one. ",
      replacedBy: "did:web:next.test",
    });
    expect(details).toEqual({
      packages: [
        { ...npm, environmentVariables: [key] },
        {
          ...npm,
          packageArguments: [
            { type: "named", name: "--port" },
            { type: "positional", value: "ab" },
          ],
        },
      ],
      deprecation: "Use the next one.",
      replacedBy: "did:web:next.test",
    });
    for (const odd of [{ packages: 3, deprecation: {}, replacedBy: "next.test" }, { deprecation: " " }]) {
      expect(parse(odd).details).toEqual({});
    }
  });

  it("stores no more than 16,000 characters of packages", () => {
    const big = { registryType: "npm", identifier: "x".repeat(1_000), transport: { type: "stdio" } };
    const { details } = parse({ packages: Array(50).fill(big) });
    expect(details?.packages?.length).toBeGreaterThan(10);
    expect(JSON.stringify(details?.packages).length).toBeLessThanOrEqual(16_000);
  });

  it.each([
    [{ apiKey: { in: "header", name: "X-Key", description: "Yours" } }, ["header X-Key Yours"]],
    [
      { apiKey: { in: "query", name: "k", description: 5 }, bearer: { format: "JWT" } },
      ["query k undefined", "bearer Authorization undefined"],
    ],
    [{ apiKey: { in: "header", name: "X-Key: 1\r\nHost" }, bearer: 1 }, undefined],
    [{ apiKey: { in: "body", name: "k" } }, undefined],
    [{ bearer: {}, oauth2: { tokenUrl: "https://a.test/token" } }, undefined],
    ["key", undefined],
  ])("reads the keys and tokens of %j", (authentication, expected) => {
    const { endpoints } = parse({ endpoints: [{ name: "MCP", endpoint: "https://a.test", authentication }] });
    const found = endpoints[0]?.credentials?.map((one) => `${one.in} ${one.name} ${one.description}`);
    expect(found).toEqual(expected);
  });

  it("reads endpoints and the transport of MCP servers", () => {
    const mcp = {
      name: "MCP",
      endpoint: "https://a.test/sse",
      transport: { sse: { url: "https://a.test/sse" } },
    };
    const { endpoints } = parse({
      endpoints: [
        mcp,
        { name: "Contract", endpoint: "javascript:alert(1)" },
        { name: 1, endpoint: "https://a.test" },
        { name: "none" },
        null,
      ],
      endpoint: { url: "http://a.test/v1" },
    });
    expect(endpoints).toEqual([
      { name: "MCP", endpoint: "https://a.test/sse", transport: "sse" },
      { name: "API", endpoint: "http://a.test/v1" },
    ]);
    expect(parse({ endpoints: Array(50).fill(mcp) }).endpoints).toHaveLength(20);
  });

  it("removes characters that PostgreSQL cannot store and truncates long texts", () => {
    const labels = parse('{"name":"a\\u0000b","description":"x"}');
    expect(labels.name).toBe("ab");
    expect(parse({ description: "d".repeat(5_000) }).description).toHaveLength(1_000);
  });
});

describe("recordLabels", () => {
  const record = { did: "did:web:acme.com", traitHashes: [traitHash("api:rest"), traitHash("hidden")] };

  it("includes a trait string only if the record lists its hash, and reports every mismatch", () => {
    const labels = recordLabels(
      record,
      parse({ name: "Acme", traits: ["API:REST", "fake", "not a trait!"] }),
    );
    expect(labels.traits).toEqual(["api:rest"]);
    expect(labels.problems.map(({ pointer, code }) => `${pointer} ${code}`).slice(-3)).toEqual([
      "/traits/1 trait-not-on-chain",
      "/traits/2 trait-not-on-chain",
      "/traits trait-not-in-document",
    ]);
    expect(labels.searchVector).not.toContain("fake");
  });

  it("returns no labels without a document, but the words of the DID", () => {
    const labels = recordLabels(record, null);
    expect(labels).toMatchObject({ name: null, traits: [], problems: [], sortName: "did:web:acme.com" });
    expect(labels.searchVector).toBe("'acme' '~acm' 'com'");
  });
});
