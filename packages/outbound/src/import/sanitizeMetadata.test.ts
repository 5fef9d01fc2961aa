import { isJsonObject, metadataSchema } from "@app-registry/sdk";
import { nearlyJson } from "@app-registry/test-kit/arbitraries";
import { arbitraryMetadata } from "@app-registry/test-kit/arbitraryMetadata";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isEqualJson } from "../discover/fillMetadata.ts";
import { sanitizeMetadata } from "./sanitizeMetadata.ts";

describe("sanitizeMetadata", () => {
  it("truncates long texts, removes forbidden characters and drops other invalid values", () => {
    const tool = { name: "echo", inputSchema: {} };
    expect(
      sanitizeMetadata({
        name: `A\u202e\u0000\n B${"x".repeat(300)}`,
        description: undefined,
        image: "javascript:alert(1)",
        external_url: `https://example.com/${"a".repeat(3_000)}`,
        supportUrl: null,
        traits: ["ok", "not ok", 7],
        endpoints: [
          {
            name: "MCP",
            endpoint: "https://example.com",
            tools: [tool, { name: "no schema" }, 5],
            resources: "none",
          },
          { endpoint: "https://example.com/without-name" },
        ],
        unknown: { kept: [1, "a\ud800"] },
      }),
    ).toEqual({
      name: `A B${"x".repeat(196)}…`,
      traits: ["ok"],
      endpoints: [{ name: "MCP", endpoint: "https://example.com", tools: [tool] }],
      unknown: { kept: [1, "a\ufffd"] },
    });
  });

  it("does not change valid metadata", () => {
    fc.assert(
      fc.property(arbitraryMetadata, (metadata) => {
        const forbidden = /(?![\t\n\r])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;
        fc.pre(!forbidden.test(JSON.stringify(metadata)) && !/\\u00/.test(JSON.stringify(metadata)));
        expect(isEqualJson(sanitizeMetadata(metadata), metadata)).toBe(true);
      }),
    );
  });

  it("converts any value to metadata that is valid except for missing fields", () => {
    const strange = fc.oneof(
      fc.jsonValue(),
      fc.string({ minLength: 250, maxLength: 400 }),
      fc.constant("\u202e"),
    );
    fc.assert(
      fc.property(
        arbitraryMetadata.chain((metadata) => nearlyJson(metadata, strange)),
        (metadata) => {
          fc.pre(isJsonObject(metadata));
          const issues = metadataSchema.safeParse(sanitizeMetadata(metadata)).error?.issues ?? [];
          expect(issues.filter(({ path }) => path.length > 1)).toEqual([]);
          expect(
            issues.every(({ path }) => ["name", "description", "publisher"].includes(String(path[0]))),
          ).toBe(true);
        },
      ),
    );
  });
});
