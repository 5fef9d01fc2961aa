import { describe, expect, it } from "vitest";
import { schemaProblems } from "./SchemaReport.tsx";

const DRAFT_07 = "http://json-schema.org/draft-07/schema#";

describe("schemaProblems", () => {
  it.each([
    ["an empty schema", {}],
    [
      "a reference within the schema",
      { $defs: { a: { type: "string" } }, properties: { b: { $ref: "#/$defs/a" } } },
    ],
    ["a reference as data", { properties: { a: { const: { $ref: "#/nowhere" } } } }],
    ["a tuple of 2020-12", { type: "array", prefixItems: [{ type: "string" }], items: false }],
    ["a tuple of draft-07", { $schema: DRAFT_07, type: "array", items: [{ type: "string" }] }],
    ["another draft", { $schema: "http://json-schema.org/draft-04/schema#", exclusiveMinimum: true }],
    ["custom keywords", { "x-order": 5, type: ["string", "null"] }],
  ])("accepts %s", (_, schema) => {
    expect(schemaProblems(schema)).toEqual([]);
  });

  it.each([
    ["a list", [], "", "A schema must be a JSON object."],
    ["an unknown type", { type: "text" }, "/type", /^Set type to "string"/],
    [
      "an unknown type deep inside",
      { properties: { a: { items: { type: "int" } } } },
      "/properties/a/items/type",
      /^Set type to/,
    ],
    [
      "required as a boolean",
      { properties: { a: { required: true } } },
      "/properties/a/required",
      /list of property names/,
    ],
    [
      "a property whose schema is a text",
      { properties: { type: "string" } },
      "/properties/type",
      "Expected object or boolean, got string.",
    ],
    ["a broken pattern", { pattern: "(" }, "/pattern", "This isn't a valid regular expression."],
    ["a negative length", { minLength: -1 }, "/minLength", /-1/],
    [
      "a tuple of draft-07 under 2020-12",
      { items: [{}] },
      "/items",
      "Expected object or boolean, got array.",
    ],
    [
      "a keyword of 2020-12 with draft-07's mistake",
      { $schema: DRAFT_07, items: { type: 5 } },
      "/items/type",
      /^Set type to/,
    ],
    [
      "a reference without a target",
      { items: { $ref: "#/$defs/a" } },
      "/items/$ref",
      "The schema refers to #/$defs/a, which doesn't exist.",
    ],
  ])("rejects %s", (_, schema, pointer, message) => {
    expect(schemaProblems(schema)).toEqual([
      { pointer, message: typeof message === "string" ? message : expect.stringMatching(message) },
    ]);
  });
});
