import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkFieldNames } from "./checkFieldNames.ts";
import { checkPublishable } from "./checkPublishable.ts";
import { metadataSchema } from "./metadataSchema.ts";

const found = (metadata: unknown) =>
  checkFieldNames(metadata).map(({ pointer, suggestion }) => `${pointer} ${suggestion}`);

describe("checkFieldNames", () => {
  it.each([
    ["a missing letter", { desciption: "x" }, "/desciption description"],
    ["two letters swapped", { pulbisher: "x" }, "/pulbisher publisher"],
    ["other capitals", { platforms: { web: { launchURL: "x" } } }, "/platforms/web/launchURL launchUrl"],
    [
      "other separators",
      { externalUrl: "x", support_url: "x" },
      "/externalUrl external_url",
      "/support_url supportUrl",
    ],
    ["a singular for a plural", { trait: [], payment: [] }, "/trait traits", "/payment payments"],
    ["the earlier layout", { endpoint: { url: "x", shemaUrl: "x" } }, "/endpoint/shemaUrl schemaUrl"],
    [
      "an entry of a list",
      { endpoints: [{ name: "MCP" }, { name: "x", endPoint: "x", tool: [] }] },
      "/endpoints/1/endPoint endpoint",
      "/endpoints/1/tool tools",
    ],
    [
      "deep inside an entry",
      {
        endpoints: [
          { name: "MCP", tools: [{ name: "x", input_schema: {} }], authentication: { oAuth2: {} } },
        ],
      },
      "/endpoints/0/tools/0/input_schema inputSchema",
      "/endpoints/0/authentication/oAuth2 oauth2",
    ],
  ])("returns the place and the suggestion for %s", (_, metadata, ...expected) => {
    expect(found(metadata)).toEqual(expected);
  });

  it.each([
    ["an own field", { replacedBy: "did:web:a.b", releaseNotes: "x", "x-rank": 1, probe: {} }],
    ["a name similar to a known name that is in use", { image: "x", images: [] }],
    [
      "a JSON Schema, whose names are its author's",
      { endpoints: [{ tools: [{ inputSchema: { tipe: "object" } }] }] },
    ],
    ["a platform of any name", { platforms: { webb: {}, "smart-tv": {} } }],
    ["a long name", { ["description".repeat(10_000)]: 1 }],
    ["a value that is not an object", [{ desciption: "x" }]],
  ])("returns no warning for %s", (_, metadata) => {
    expect(found(metadata)).toEqual([]);
  });

  it("returns no warning for any name of the schema", () => {
    const known = Object.fromEntries(Object.keys(metadataSchema.shape).map((name) => [name, 1]));
    expect(found(known)).toEqual([]);
  });

  it("escapes names in pointers, and does not prevent publishing", () => {
    expect(found({ "nam~": "x" })).toEqual(["/nam~0 name"]);
    const metadata = {
      name: "Maps",
      description: "Maps.",
      publisher: "x",
      traits: ["api:rest"],
      suportUrl: 1,
    };
    const endpoints = [{ name: "REST", endpoint: "https://example.com" }];
    expect(checkPublishable({ ...metadata, endpoints }, 2, "")).toEqual([]);
    expect(found({ ...metadata, endpoints })).toEqual(["/suportUrl supportUrl"]);
  });

  it("never throws, and does not change its argument", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const before = fc.stringify(value);
        checkFieldNames(value);
        checkFieldNames({ endpoints: value, platforms: value, endpoint: value });
        expect(fc.stringify(value)).toBe(before);
      }),
    );
  });
});
