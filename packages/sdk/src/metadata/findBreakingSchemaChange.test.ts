import { Validator } from "@cfworker/json-schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../json.ts";
import { findBreakingSchemaChange } from "./findBreakingSchemaChange.ts";

const names = fc.constantFrom("a", "b", "title");
const value = fc.oneof(
  fc.integer({ min: -2, max: 4 }),
  fc.constantFrom(0.5, "a", "bb", "", null, true),
) as fc.Arbitrary<JsonValue>;

/** Generates schemas over few names and values, so that two of them often differ in one keyword. */
function schemas(depth: number): fc.Arbitrary<JsonObject> {
  const inner = depth === 0 ? fc.constant({}) : schemas(depth - 1);
  const keywords = {
    type: fc.oneof(
      fc.constantFrom("integer", "number", "string", "object", "array"),
      fc.uniqueArray(fc.constantFrom("integer", "string", "null", "object"), { minLength: 1 }),
    ),
    enum: fc.uniqueArray(value, { minLength: 1, maxLength: 3 }),
    const: value,
    minimum: fc.integer({ min: -1, max: 2 }),
    exclusiveMaximum: fc.integer({ min: 0, max: 3 }),
    maxLength: fc.integer({ min: 0, max: 2 }),
    minItems: fc.integer({ min: 0, max: 1 }),
    properties: fc.dictionary(names, inner, { maxKeys: 2 }),
    required: fc.uniqueArray(names, { maxLength: 2 }),
    additionalProperties: fc.oneof(fc.boolean(), inner),
    items: inner,
    not: inner,
    prefixItems: fc.array(inner, { minLength: 1, maxLength: 2 }),
    patternProperties: fc.dictionary(fc.constantFrom("^a", "b"), inner, { maxKeys: 1 }),
    unevaluatedProperties: fc.boolean(),
    anyOf: fc.array(inner, { minLength: 1, maxLength: 2 }),
    dependentRequired: fc.dictionary(fc.constantFrom("a", "title"), fc.constant(["b"]), { maxKeys: 1 }),
    pattern: fc.constantFrom("^a", "b$"),
    description: fc.constantFrom("x", "y"),
  };
  return fc
    .uniqueArray(fc.constantFrom(...(Object.keys(keywords) as (keyof typeof keywords)[])), { maxLength: 3 })
    .chain((keys) =>
      fc.record(Object.fromEntries(keys.map((key) => [key, keywords[key] as fc.Arbitrary<JsonValue>]))),
    );
}
const schema = schemas(2);

/** Generates pairs of schemas that differ in one keyword, at the top level or in a property. */
const pair = fc
  .tuple(schema, schema, names, fc.nat())
  .map(([one, other, name, choice]): [JsonObject, JsonObject] => {
    const keys = Object.keys({ ...one, ...other });
    const key = keys[choice % Math.max(1, keys.length)];
    if (key === undefined) return [one, other];
    const changed = { ...one };
    if (other[key] === undefined) delete changed[key];
    else changed[key] = other[key];
    return choice % 2 === 0
      ? [one, changed]
      : [{ properties: { [name]: one } }, { properties: { [name]: changed } }];
  });

const instance = fc.letrec<{ any: JsonValue }>((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    value,
    fc.array(tie("any"), { maxLength: 2 }),
    fc.dictionary(names, tie("any"), { maxKeys: 3 }),
  ) as fc.Arbitrary<JsonValue>,
})).any;

/** Closes the objects of a schema, because callers send only properties that the schema declares. */
function closed(open: JsonValue): JsonValue {
  if (typeof open !== "object" || open === null || Array.isArray(open)) return open;
  const { properties, items, type, additionalProperties } = open as JsonObject;
  const isObject = properties !== undefined || [type].flat().includes("object");
  return {
    ...open,
    ...(additionalProperties === undefined
      ? isObject && { additionalProperties: false }
      : { additionalProperties: closed(additionalProperties) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, inner]) => [name, closed(inner)]),
      ),
    }),
    ...(items && { items: closed(items) }),
  };
}

describe("findBreakingSchemaChange", () => {
  it.each(["input", "output"] as const)(
    "returns undefined for %s only if a validator accepts every value of one schema with the other",
    (direction) => {
      let compared = 0;
      fc.assert(
        fc.property(
          pair,
          fc.array(instance, { minLength: 10, maxLength: 10 }),
          ([before, after], instances) => {
            if (findBreakingSchemaChange(before, after, direction) !== undefined) return;
            const [smaller, larger] = direction === "input" ? [closed(before), after] : [after, before];
            const takes = new Validator(smaller as JsonObject, "2020-12");
            const stillTakes = new Validator(larger, "2020-12");
            for (const each of instances) {
              if (!takes.validate(each).valid) continue;
              compared += 1;
              expect(stillTakes.validate(each).valid, JSON.stringify({ before, after, each })).toBe(true);
            }
          },
        ),
        { numRuns: Math.max(500, fc.readConfigureGlobal().numRuns ?? 0) },
      );
      expect(compared).toBeGreaterThan(100);
    },
  );

  it("returns undefined for the same schema with another description", () => {
    fc.assert(
      fc.property(schema, fc.string(), (before, description) => {
        for (const direction of ["input", "output"] as const) {
          expect(findBreakingSchemaChange(before, { ...before, description }, direction)).toBeUndefined();
        }
      }),
    );
  });

  const base = { type: "object", properties: { id: { type: "integer" } }, required: ["id"] };
  it.each<[string, JsonObject, string | undefined, string | undefined]>([
    [
      "an added optional property",
      { ...base, properties: { ...base.properties, q: {} } },
      undefined,
      undefined,
    ],
    ["a removed property", { type: "object", properties: {} }, "id was removed", "id was removed"],
    ["an added required property", { ...base, required: ["id", "q"] }, "it now requires q", undefined],
    ["a property that is no longer required", { ...base, required: [] }, undefined, "it may now omit id"],
    ["a wider type", { ...base, properties: { id: { type: "number" } } }, undefined, "id: type changed"],
    [
      "a closed object",
      { ...base, additionalProperties: false },
      "its additionalProperties changed",
      undefined,
    ],
    [
      "a bound",
      { ...base, properties: { id: { type: "integer", maximum: 9 } } },
      "id: maximum changed",
      undefined,
    ],
    [
      "an unsupported keyword",
      { ...base, anyOf: [{ required: ["q"] }] },
      "its anyOf changed",
      "its anyOf changed",
    ],
    ["a description", { ...base, description: "By id." }, undefined, undefined],
    [
      "a property below items",
      { ...base, items: { properties: { a: { const: 0.5 } } } },
      "its items changed",
      undefined,
    ],
  ])("compares %s, as input and as output", (_, after, input, output) => {
    expect(findBreakingSchemaChange(base, after, "input")).toBe(input);
    expect(findBreakingSchemaChange(base, after, "output")).toBe(output);
  });

  it("does not take an absent or empty schema for a closed object", () => {
    const items = { properties: { a: { const: 0.5 } } };
    expect(findBreakingSchemaChange({}, { items }, "input")).toBe("its items changed");
    expect(findBreakingSchemaChange({ items: {} }, { items }, "input")).toBe("items: a was added");
    expect(findBreakingSchemaChange({}, items, "input")).toBe("a was added");
    expect(findBreakingSchemaChange({ type: "object" }, items, "input")).toBeUndefined();
  });

  it("compares the texts of no part, and each part of a schema with references", () => {
    const schema = (description: string, type: string) => ({
      $defs: { id: { type, description } },
      properties: { description: { $ref: "#/$defs/id", title: description } },
    });
    const before = schema("Old.", "integer");
    expect(findBreakingSchemaChange(before, schema("New.", "integer"), "input")).toBeUndefined();
    expect(findBreakingSchemaChange(before, schema("Old.", "number"), "input")).toBe("its schema changed");
  });

  const many = Array.from({ length: 60_000 }, (_, at) => `value-${at}`);
  // Each pair would take billions of steps if the lists were compared element by element.
  it.each<[string, JsonObject, JsonObject]>([
    ["allowed values", { enum: many }, { enum: [...many].reverse() }],
    ["types", { type: many }, { type: [...many].reverse() }],
    ["required names", { required: many }, { required: [...many].reverse() }],
  ])("compares long lists of %s in linear time", (_, before, after) => {
    expect(findBreakingSchemaChange(before, after, "input")).toBeUndefined();
  });

  it("compares values without canonical form", () => {
    const before = { enum: ["a", "\ud800"] };
    expect(findBreakingSchemaChange(before, { enum: ["\ud800", "a"] }, "input")).toBeUndefined();
    expect(findBreakingSchemaChange(before, { enum: ["a", "\udc00"] }, "input")).toBe(
      "its allowed values changed",
    );
  });
});
