import { parseDocument } from "@app-registry/index/document/parseDocument";
import type { EndpointLabel } from "@app-registry/sdk";
import { type FactName, factTexts } from "@app-registry/sdk/internal";
import { codePoint } from "@app-registry/test-kit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryServer } from "../test/arbitraryServers.ts";
import { expectOfficial } from "../test/mcpClients.ts";
import { type ListedServer, serverEntry, serverEntrySchema } from "./serverEntry.ts";

const OFFICIAL = "io.modelcontextprotocol.registry/official";
const publicUrl = "https://registry.example";
const listed: ListedServer = {
  did: "did:web:mcp.example.com:weather",
  version: "2.1.0",
  tokenId: "7",
  owner: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  status: 0,
  dataUrl: "https://mcp.example.com/metadata.json",
  dataHash: `0x${"ab".repeat(32)}`,
  name: "Weather",
  description: "Forecasts for every city.",
  image: "https://mcp.example.com/icon.png",
  endpoints: [
    { name: "REST", endpoint: "https://mcp.example.com/rest" },
    { name: "MCP", endpoint: "https://mcp.example.com/mcp" },
  ],
  updatedAt: 1_760_000_000,
  changedAt: 1_770_000_000,
  latest: true,
  facts: { control: "pass", content: "fail", attested: "pass", attestedUntil: 1_790_000_000 },
};
const remoteWith = (credentials: EndpointLabel["credentials"], endpoint = "https://a.test/mcp") =>
  serverEntry({ ...listed, endpoints: [{ name: "MCP", endpoint, credentials }] }, publicUrl)?.server
    .remotes?.[0];

describe("serverEntry", () => {
  it.each([
    ["pass", "active", undefined],
    ["unknown", "active", undefined],
    ["fail", "deprecated", expect.stringContaining("control is not currently proven")],
  ] as const)("of a service whose control is %s has the status %s", (control, status, statusMessage) => {
    const entry = serverEntry({ ...listed, facts: { ...listed.facts, control } as never }, publicUrl);
    const { [OFFICIAL]: official } = entry?._meta ?? {};
    expect(official).toMatchObject({ status, ...(statusMessage && { statusMessage }) });
    expect("statusMessage" in (official as object)).toBe(statusMessage !== undefined);
  });

  it("describes the service, its endpoint and its record, with every fact and no score", () => {
    const verification = "https://registry.example/api/apps/did:web:mcp.example.com:weather/v/2.1.0";
    const fact = (name: FactName) => ({
      question: factTexts[name].question,
      check: `${verification}#/verification/facts/${name}`,
    });
    expect(serverEntrySchema.strict().parse(serverEntry(listed, publicUrl))).toEqual({
      server: {
        $schema: expect.stringContaining("server.schema.json"),
        name: "com.example.mcp/weather",
        title: "Weather",
        description: "Forecasts for every city.",
        version: "2.1.0",
        websiteUrl: "https://registry.example/apps/did:web:mcp.example.com:weather",
        icons: [{ src: "https://mcp.example.com/icon.png" }],
        remotes: [{ type: "streamable-http", url: "https://mcp.example.com/mcp" }],
      },
      _meta: {
        "io.modelcontextprotocol.registry/official": {
          status: "active",
          publishedAt: "2025-10-09T08:53:20.000Z",
          updatedAt: "2026-02-02T02:40:00.000Z",
          isLatest: true,
        },
        "example.registry/record": {
          did: listed.did,
          tokenId: "7",
          owner: listed.owner,
          dataUrl: listed.dataUrl,
          dataHash: listed.dataHash,
          verification,
          facts: {
            record: { outcome: "pass", ...fact("record") },
            control: { outcome: "pass", ...fact("control") },
            content: { outcome: "fail", ...fact("content") },
            attested: { outcome: "pass", ...fact("attested"), validUntil: "2026-09-21T14:13:20.000Z" },
            origin: { outcome: "unknown", ...fact("origin") },
            live: { outcome: "unknown", ...fact("live") },
          },
        },
      },
    });
  });

  it("fits the limits of the MCP registry for any metadata", () => {
    const entry = serverEntry(
      { ...listed, name: "😀".repeat(80), description: " \n ", image: "http://a.test/icon.png" },
      publicUrl,
    );
    const { title = "", description, icons } = entry?.server ?? {};
    expect(title.length).toBeLessThanOrEqual(100);
    expect(encodeURIComponent(title)).not.toBe("");
    expect(description).toBe(title);
    expect(icons).toBeUndefined();
  });

  it("returns the transport of a server that only supports HTTP with SSE", () => {
    const endpoints = [{ name: "MCP", endpoint: "https://a.test/sse", transport: "sse" as const }];
    expect(serverEntry({ ...listed, endpoints }, publicUrl)?.server.remotes).toEqual([
      { type: "sse", url: "https://a.test/sse" },
    ]);
  });

  it.each([
    ["active", 0, undefined],
    ["deprecated", 1, "Old."],
    ["deprecated", 2, "Replaced by did:web:next.test. Old."],
  ] as const)("is %s with the status %i, and its message is %j", (status, ofRecord, statusMessage) => {
    const more = { deprecation: "\n Old. ", replacedBy: "did:web:next.test" };
    const official = (with_: Partial<ListedServer>) =>
      serverEntry({ ...listed, status: ofRecord, ...with_ }, publicUrl)?._meta[
        "io.modelcontextprotocol.registry/official"
      ];
    expect([official(more)?.status, official(more)?.statusMessage]).toEqual([status, statusMessage]);
    expect(official({})).not.toHaveProperty("statusMessage");
    expect(official({ deprecation: "x".repeat(4_000) })?.statusMessage?.length ?? 500).toBe(500);
  });

  it("reports a hidden service as deleted, without what its publisher claims", () => {
    const entry = serverEntry(listed, publicUrl, "Taken down.");
    expectOfficial("ServerResponse", entry);
    expect(entry?._meta).toMatchObject({
      "io.modelcontextprotocol.registry/official": { status: "deleted", statusMessage: "Taken down." },
    });
    expect(JSON.stringify(entry)).not.toMatch(/Forecasts|Weather|https:..mcp/);
  });

  it("requests the only key or token of an endpoint, and offers several", () => {
    const secret = (description: string, isRequired = true) => ({ description, isRequired, isSecret: true });
    expect(remoteWith([{ in: "header", name: "X-Key" }])?.headers).toEqual([
      { name: "X-Key", ...secret("API key X-Key") },
    ]);
    expect(remoteWith([{ in: "query", name: "k" }], "https://a.test/{x}?b={c}#d")).toEqual({
      type: "streamable-http",
      url: "https://a.test/%7Bx%7D?b=%7Bc%7D&k={key}",
      variables: { key: secret("API key k") },
    });
    const bearer = { in: "bearer", name: "Authorization", description: "From\nyour account" } as const;
    expect(remoteWith([{ in: "query", name: "k" }, { in: "cookie", name: "c" }, bearer])).toEqual({
      type: "streamable-http",
      url: "https://a.test/mcp",
      headers: [
        { name: "Cookie", value: "c={key}", variables: { key: secret("API key c", false) } },
        {
          name: "Authorization",
          value: "Bearer {key}",
          variables: { key: secret("From your account", false) },
        },
      ],
    });
  });

  it.each([
    "http://a.test/i.png",
    "https://a.test/a|b.png",
    "https://a.test/100%",
    `https://a.test/${"i".repeat(255)}`,
  ])("leaves out the icon %s, which the schema does not allow", (image) =>
    expect(serverEntry({ ...listed, image }, publicUrl)?.server.icons).toBeUndefined(),
  );

  it("returns undefined without an MCP endpoint", () => {
    expect(serverEntry({ ...listed, endpoints: [] }, publicUrl)).toBeUndefined();
  });

  it("matches the official schemas for any metadata", () => {
    const claims = fc.string({ unit: codePoint, maxLength: 700, size: "max" });
    const anyName = fc.record({ name: claims, description: claims, deprecation: claims });
    fc.assert(
      fc.property(arbitraryServer, fc.option(anyName), (metadata, noise) => {
        const bytes = Buffer.from(JSON.stringify(metadata));
        const { details, name, description, image, endpoints } = parseDocument(bytes);
        const labels = JSON.parse(JSON.stringify({ name, description, image, endpoints, ...details }));
        expectOfficial(
          "ServerResponse",
          serverEntry({ ...listed, ...labels, ...noise, status: 1 }, publicUrl),
        );
      }),
    );
  });
});
