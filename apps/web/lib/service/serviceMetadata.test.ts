import { describe, expect, it } from "vitest";
import { describeTerms, readServiceMetadata } from "./serviceMetadata.ts";

describe("readServiceMetadata", () => {
  it("reads an MCP endpoint with its capabilities", () => {
    const { endpoints } = readServiceMetadata({
      name: "Library",
      traits: ["api:mcp", "books"],
      endpoints: [
        {
          name: "MCP",
          endpoint: "https://library.example/mcp",
          tools: [
            { name: "search", description: "Finds books", inputSchema: { type: "object", properties: {} } },
          ],
          resources: [{ uri: "catalogue://subjects", name: "Subjects" }, { name: "without uri" }],
          prompts: [{ name: "list", arguments: [{ name: "subject", required: true }, { name: "length" }] }],
        },
      ],
    });
    expect(endpoints[0]).toMatchObject({
      apiTrait: "api:mcp",
      tools: [{ name: "search", inputSchema: { type: "object", properties: {} } }],
      resources: [{ uri: "catalogue://subjects", name: "Subjects" }],
      prompts: [{ name: "list", arguments: [{ required: true }, { required: false }] }],
    });
  });

  it("reads the old format with a single endpoint", () => {
    const { endpoints } = readServiceMetadata({
      endpoint: { url: "https://rates.example/api", schemaUrl: "https://rates.example/openapi.json" },
      interfaceVersions: ["1.0"],
      traits: ["api:rest"],
    });
    expect(endpoints).toHaveLength(1);
    expect(endpoints[0]).toMatchObject({
      endpoint: "https://rates.example/api",
      schemaUrl: "https://rates.example/openapi.json",
      apiTrait: "api:rest",
    });
  });

  it("leaves the type undefined if two types are possible", () => {
    const { endpoints } = readServiceMetadata({
      traits: ["api:rest", "api:graphql"],
      endpoints: [
        { name: "GraphQL", endpoint: "https://a.example/graphql" },
        { name: "Main", endpoint: "https://a.example" },
      ],
    });
    expect(endpoints.map(({ apiTrait }) => apiTrait)).toEqual(["api:graphql", "api:rest"]);
    const unclear = readServiceMetadata({
      traits: ["api:rest", "api:graphql"],
      endpoints: [{ name: "Main", endpoint: "https://a.example" }],
    });
    expect(unclear.endpoints[0]?.apiTrait).toBeUndefined();
  });

  it("reads platforms, media and payments", () => {
    const metadata = readServiceMetadata({
      image: "https://a.example/icon.png",
      external_url: "https://a.example",
      platforms: {
        web: { launchUrl: "https://a.example/app" },
        ios: { downloadUrl: "https://a.example/ios" },
      },
      screenshotUrls: ["https://a.example/1.png"],
      payments: [{ type: "x402", url: "https://a.example/pay", chains: ["eip155:1"] }],
    });
    expect(metadata.image).toBe("https://a.example/icon.png");
    expect(metadata.external_url).toBe("https://a.example");
    expect(metadata.platforms.map(({ name }) => name)).toEqual(["web", "ios"]);
    expect(metadata.payments).toEqual([{ type: "x402", url: "https://a.example/pay", chains: ["eip155:1"] }]);
  });

  it("ignores fields of other types", () => {
    for (const document of [
      null,
      7,
      "text",
      [],
      { endpoints: "no", traits: [1, null], platforms: [], payments: {} },
    ]) {
      const metadata = readServiceMetadata(document);
      expect(metadata.endpoints).toEqual([]);
      expect(metadata.traits).toEqual([]);
      expect(metadata.platforms).toEqual([]);
    }
  });
});

describe("describeTerms", () => {
  const describeFirst = (payment: object) => {
    const [terms] = readServiceMetadata({ payments: [{ type: "x402", ...payment }] }).payments;
    return terms && describeTerms(terms);
  };

  it("names price, chains, token and recipient", () => {
    const price = { amount: "0.01", symbol: "USDC", asset: "0x01" };
    expect(describeFirst({ chains: ["eip155:8453"], price, payTo: "0x02" })).toBe(
      "0.01 USDC per request, eip155:8453, token 0x01, to 0x02",
    );
  });

  it.each([
    [{}, ""],
    [{ chains: ["eip155:1", "eip155:10"] }, "eip155:1, eip155:10"],
    [{ price: { symbol: "USDC", asset: "0x01" } }, "token 0x01"],
    [{ price: { amount: "5" } }, "5 per request"],
    [{ price: "5 USDC", payTo: { a: 1 } }, ""],
    [{ price: [{ amount: "5" }], payTo: null }, ""],
    [{ price: { amount: 5, symbol: ["USDC"], asset: {} } }, ""],
  ])("describes %j as %j", (payment, text) => {
    expect(describeFirst(payment)).toBe(text);
  });
});
