import {
  getAtPointer,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  toJsonPointer,
} from "@app-registry/sdk";
import { arbitraryMetadata } from "@app-registry/test-kit/arbitraryMetadata";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fillMetadata, isEqualJson, removeProposal } from "./fillMetadata.ts";

const mcp = { name: "MCP", endpoint: "https://example.com/mcp", tools: [{ name: "echo", inputSchema: {} }] };

describe("fillMetadata", () => {
  it("writes missing values", () => {
    const { metadata, different } = fillMetadata(
      { name: "Mine", description: "", traits: ["api:mcp"], endpoints: [{ name: "MCP" }] },
      { name: "Mine", description: "Found.", traits: ["api:mcp", "weather"], endpoints: [mcp] },
    );
    expect(metadata).toEqual({
      name: "Mine",
      description: "Found.",
      traits: ["api:mcp", "weather"],
      endpoints: [mcp],
    });
    expect(different).toEqual([]);
  });

  it("keeps the values that a person entered and lists them", () => {
    const present = { name: "Mine", endpoints: [{ ...mcp, endpoint: "https://mine.example.com/" }] };
    const { metadata, different } = fillMetadata(present, { name: "Found", endpoints: [mcp] });
    expect(metadata).toEqual(present);
    expect(different).toEqual([
      { pointer: "/name", found: "Found" },
      { pointer: "/endpoints/0/endpoint", found: mcp.endpoint },
    ]);
  });

  it("replaces values of the previous proposal", () => {
    const read = { name: "Old", traits: ["api:mcp", "old"], endpoints: [{ ...mcp, tools: [] }] };
    const { metadata } = fillMetadata(
      { ...read, traits: ["api:mcp"] },
      { name: "New", traits: ["old", "new"], endpoints: [mcp] },
      read,
    );
    // The trait that a person removed is not added again.
    expect(metadata).toEqual({ name: "New", traits: ["api:mcp", "new"], endpoints: [mcp] });
  });

  it("fills an endpoint that has only a name, leaves that of the contract unchanged, and appends others", () => {
    const contract = { name: "Contract" };
    const rest = { name: "REST", endpoint: "https://example.com/" };
    const { metadata } = fillMetadata({ endpoints: [contract, { name: "API" }] }, { endpoints: [mcp, rest] });
    expect(metadata.endpoints).toEqual([contract, mcp, rest]);
  });

  // @threat services: An imported document with secrets, thousands of places or unusable values
  it("never changes a value that differs from the previous proposal", () => {
    fc.assert(
      fc.property(arbitraryMetadata, arbitraryMetadata, arbitraryMetadata, (present, proposal, read) => {
        const { metadata, different } = fillMetadata(present, proposal, read);
        for (const { pointer, value } of listLeaves(present)) {
          if (isEqualJson(value, getAtPointer(read, pointer))) continue;
          expect({ pointer, value: getAtPointer(metadata, pointer) }).toEqual({ pointer, value });
        }
        for (const { pointer, found } of different)
          expect(isEqualJson(getAtPointer(metadata, pointer), found)).toBe(false);
      }),
    );
  });

  it("changes nothing if the same proposal is filled in again", () => {
    fc.assert(
      fc.property(arbitraryMetadata, arbitraryMetadata, (present, proposal) => {
        const once = fillMetadata(present, proposal).metadata;
        const twice = fillMetadata(once, proposal, proposal);
        expect(isEqualJson(twice.metadata, once)).toBe(true);
      }),
    );
  });
});

describe("removeProposal", () => {
  const web = { web: { launchUrl: "https://example.com/" } };
  const read = {
    name: "Red",
    image: "https://a",
    traits: ["api:mcp", "red"],
    endpoints: [mcp],
    platforms: web,
  };

  it("leaves nothing of a proposal that was filled in", () => {
    fc.assert(
      fc.property(arbitraryMetadata, (proposal) => {
        expect(removeProposal(fillMetadata({}, proposal).metadata, proposal)).toEqual({});
      }),
    );
  });

  it("keeps what a person added or changed", () => {
    const present = {
      ...read,
      name: "Mine",
      publisher: "Mine",
      traits: ["api:mcp", "mine"],
      endpoints: [{ ...mcp, instructions: "mine" }, { name: "Mine" }],
      platforms: { ...web, ios: { storeUrl: "https://mine" } },
    };
    expect(removeProposal(present, read)).toEqual({
      name: "Mine",
      publisher: "Mine",
      traits: ["mine"],
      endpoints: [{ name: "MCP", instructions: "mine" }, { name: "Mine" }],
      platforms: { ios: { storeUrl: "https://mine" } },
    });
  });

  it("compares entries without a name as a whole", () => {
    const payments = [{ type: "x402", price: 1 }];
    const present = { payments: [...payments, { type: "x402", price: 2 }] };
    expect(removeProposal(present, { payments })).toEqual({ payments: [{ type: "x402", price: 2 }] });
  });

  it("removes nothing without a previous proposal", () => {
    fc.assert(
      fc.property(arbitraryMetadata, (present) => {
        expect(removeProposal(present, {})).toEqual(present);
      }),
    );
  });
});

/** Lists the pointers of non-blank values that are filled in as a whole, except those in the list of endpoints. */
function listLeaves(metadata: JsonObject): { pointer: string; value: JsonValue }[] {
  const isBlank = (value: JsonValue) =>
    value === "" || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
  return Object.entries(metadata).flatMap(([field, value]) => {
    if (field === "traits" || field === "endpoints" || isBlank(value)) return [];
    if (field !== "platforms" || !isJsonObject(value)) return [{ pointer: toJsonPointer([field]), value }];
    return Object.entries(value).flatMap(([name, platform]) =>
      Object.entries(platform as JsonObject)
        .filter(([, inner]) => !isBlank(inner))
        .map(([key, inner]) => ({ pointer: toJsonPointer([field, name, key]), value: inner })),
    );
  });
}
