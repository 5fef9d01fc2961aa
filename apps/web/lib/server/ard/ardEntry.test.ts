import { getEndpoints, getProvenSubject, isVisible, type SearchResult } from "@app-registry/sdk";
import { codePoint } from "@app-registry/test-kit/arbitraries";
import { arbitraryMetadata } from "@app-registry/test-kit/arbitraryMetadata";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ardEntrySchema, catalogSchema, ownCatalog, toArdEntry } from "./ardRoutes.ts";

const publicUrl = "https://registry.example";

const result: SearchResult = {
  did: "did:web:mcp.example.com:weather",
  proven: getProvenSubject("did:web:mcp.example.com:weather"),
  major: 2,
  version: "2.1.0",
  tokenId: "7",
  owner: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  minter: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  status: 0,
  interfaces: 2,
  dataUrl: "https://mcp.example.com/metadata.json",
  dataHash: `0x${"ab".repeat(32)}`,
  dataHashAlgorithm: 0,
  traits: ["api:mcp", "weather"],
  traitHashes: [],
  name: "Weather",
  description: "Forecasts for every city.",
  publisher: "Weather Office",
  endpoints: [{ name: "MCP", endpoint: "https://mcp.example.com/mcp" }],
  updatedAt: 1_760_000_000,
  facts: { control: "pass", content: "pass", attested: "fail", live: "pass" },
};

/**
 * Rules of a catalog in ai-catalog.schema.json of ARD 0.9, which refuses other members of the manifest, the host and
 * the trust manifest. ard-entry.schema.json of ARD 0.91 requires less.
 */
const attestation = z.strictObject({
  type: z.string(),
  uri: z.url(),
  mediaType: z.string(),
  digest: z
    .string()
    .regex(/^[a-z0-9-]+:[0-9a-f]{64}$/)
    .optional(),
});
const entryRules = z
  .looseObject({
    identifier: z.string().regex(/^urn:air:[a-zA-Z0-9.-]+(:[a-zA-Z0-9._-]+)+$/),
    displayName: z.string().min(1),
    type: z.string(),
    url: z.url().optional(),
    data: z.record(z.string(), z.unknown()).optional(),
    description: z.string().optional(),
    tags: z.array(z.string()).optional(),
    representativeQueries: z.array(z.string()).min(2).max(5).optional(),
    version: z.string().optional(),
    updatedAt: z.iso.datetime().optional(),
    metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
    trustManifest: z
      .strictObject({
        identity: z.string(),
        identityType: z.enum(["spiffe", "did", "https", "other"]),
        attestations: z.array(attestation),
      })
      .optional(),
  })
  .refine(({ url, data }) => (url === undefined) !== (data === undefined));
const catalogRules = z.strictObject({
  specVersion: z.literal("1.0"),
  host: z.strictObject({ displayName: z.string(), identifier: z.string(), documentationUrl: z.url() }),
  entries: z.array(entryRules),
});

describe("toArdEntry", () => {
  it("binds an MCP server to the host of its DID and attests the facts that pass", () => {
    expect(ardEntrySchema.strict().parse(toArdEntry(result, publicUrl))).toEqual({
      identifier: "urn:air:mcp.example.com:mcp:weather",
      displayName: "Weather",
      type: "application/mcp-server-card+json",
      data: expect.objectContaining({
        $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
        name: "com.example.mcp/weather",
        version: "2.1.0",
        remotes: [{ type: "streamable-http", url: "https://mcp.example.com/mcp" }],
      }),
      description: "Forecasts for every city.",
      tags: ["api:mcp", "weather"],
      version: "2.1.0",
      updatedAt: "2025-10-09T08:53:20.000Z",
      publisher: { identifier: result.did, displayName: "mcp.example.com/weather" },
      metadata: { dataHash: result.dataHash, dataHashAlgorithm: "keccak256" },
      trustManifest: {
        identity: result.did,
        identityType: "did",
        attestations: [
          {
            type: "app-registry/control",
            uri: "https://registry.example/api/apps/did:web:mcp.example.com:weather/v/2.1.0",
            mediaType: "application/json",
          },
          {
            type: "app-registry/content",
            uri: "https://registry.example/api/data-url/did:web:mcp.example.com:weather/v/2.1.0",
            mediaType: "application/json",
            digest: `keccak-256:${"ab".repeat(32)}`,
          },
          {
            type: "app-registry/live",
            uri: "https://registry.example/api/live/did:web:mcp.example.com:weather/v/2.1.0",
            mediaType: "application/json",
          },
        ],
      },
    });
  });

  it("labels the digest by the algorithm of the record", () => {
    const sha256 = toArdEntry({ ...result, dataHashAlgorithm: 1 }, publicUrl);
    expect(sha256?.trustManifest.attestations[1]?.digest).toBe(`sha256:${"ab".repeat(32)}`);
  });

  // @threat services: A catalog entry under a domain that its publisher does not control
  it.each([
    ["control fails", { facts: { control: "fail" as const, content: "pass" as const } }],
    ["no fact is known", { facts: undefined }],
    ["the DID has no host", { did: "did:pkh:eip155:1:0x00000000000000000000000000000000000000aa" }],
  ])("returns undefined if %s", (_, more) => {
    expect(toArdEntry({ ...result, ...more } as SearchResult, publicUrl)).toBeUndefined();
  });

  it("lists an agent by its card, another service by its document, and both kinds of a service on request", () => {
    const a2a = { name: "A2A", endpoint: "https://mcp.example.com/agent-card.json" };
    const [mcp] = result.endpoints ?? [];
    const read = (endpoints: SearchResult["endpoints"], types?: string[]) => {
      const { identifier, type, url } = toArdEntry({ ...result, endpoints }, publicUrl, types) ?? {};
      return [identifier, type, url];
    };
    const agent = ["urn:air:mcp.example.com:a2a:weather", "application/a2a-agent-card+json", a2a.endpoint];
    expect(read([a2a])).toEqual(agent);
    expect(read(mcp && [a2a, mcp], ["application/a2a-agent-card+json"])).toEqual(agent);
    expect(read([{ name: "REST", endpoint: "https://mcp.example.com/v1" }])).toEqual([
      "urn:air:mcp.example.com:service:weather",
      "application/json",
      "https://registry.example/api/data-url/did:web:mcp.example.com:weather/v/2.1.0",
    ]);
    expect(read([], ["application/mcp-server-card+json"])).toEqual([undefined, undefined, undefined]);
  });

  it("gives every DID an identifier of its own", () => {
    const dids = [":weather", "%3A8443:weather", ":8443:weather", ":a_b", ":a.b", ":a:b", "", ":_"];
    const identifiers = dids.map((end) => {
      const did = `did:web:mcp.example.com${end}`;
      return toArdEntry({ ...result, did }, publicUrl)?.identifier;
    });
    expect(new Set(identifiers).size).toBe(dids.length);
    expect(identifiers[1]).toBe("urn:air:mcp.example.com:mcp:_p8443.weather");
  });

  // @threat services: Links, markup, icons, invisible characters or check marks in a publisher's texts
  it("fits the rules of ARD and shows only visible text for every publishable record", () => {
    fc.assert(
      fc.property(
        arbitraryMetadata,
        fc.string({ unit: codePoint }),
        fc.constantFrom(0, 1),
        (given, noise, kind) => {
          const metadata = { ...given, description: `${given.description}${noise}` };
          const endpoints = getEndpoints(metadata as never)
            .filter(({ endpoint }) => /^https?:/.test(String(endpoint)))
            .map(({ name, endpoint }) => ({ name: String(name), endpoint: String(endpoint) }));
          const record = {
            ...result,
            ...{ name: `${noise}${given.name}`, description: metadata.description },
            ...{ endpoints, dataHashAlgorithm: kind as 0 | 1 },
          };
          const entry = toArdEntry(record, publicUrl);
          const json = JSON.parse(JSON.stringify(entry));
          entryRules.parse(json);
          ardEntrySchema.strict().parse(json);
          const { displayName, description = "", data } = entry ?? {};
          const texts = [displayName, description, data?.title, data?.description];
          for (const text of texts) if (text !== undefined) expect(isVisible(String(text))).toBe(true);
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe("ownCatalog", () => {
  it("fits the rules of AI Catalog and ARD and leads to the ARD API", () => {
    const catalog = ownCatalog("http://localhost:3430");
    catalogRules.parse(catalog);
    catalogSchema.strict().parse(catalog);
    expect(catalog.entries).toMatchObject([
      {
        identifier: "urn:air:localhost:registry",
        type: "application/ai-registry+json",
        url: "http://localhost:3430/api/ard/",
      },
    ]);
  });
});
