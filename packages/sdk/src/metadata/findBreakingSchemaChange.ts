import { canonicalizeValue, isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { diffJson } from "./diffJson.ts";

/** Keywords that only describe a JSON Schema (JSON Schema 2020-12, validation, section 9). */
const annotations = new Set(
  "$comment default deprecated description examples readOnly title writeOnly".split(" "),
);
/** Upper bounds: a lower value accepts less. */
const upperBounds = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
/** Lower bounds: a higher value accepts less. */
const lowerBounds = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
/** Keywords with their own rules. Any other keyword must stay the same. */
const ruledKeywords = ["additionalProperties", "const", "enum", "items", "properties", "required", "type"];
const ruled = new Set([...upperBounds, ...lowerBounds, ...ruledKeywords]);
/** Keywords that change the meaning of others. A schema with one of them must stay the same. */
const entangling = /^(additionalItems|patternProperties|prefixItems|unevaluatedItems|unevaluatedProperties)$/;
const reference = /"\$(ref|dynamicRef|recursiveRef)":/;
/** Keywords whose values are objects of schemas, and those whose values are schemas or lists of them. */
const schemaMaps = /^(properties|patternProperties|\$defs|definitions|dependentSchemas)$/;
const schemas =
  /^(items|prefixItems|additional\w+|unevaluated\w+|contains|propertyNames|not|if|then|else|\w+Of)$/;

/** Direction of the data that a schema describes: callers send `input` and read `output`. */
type Direction = "input" | "output";

/**
 * Returns the reason why a tool's new JSON Schema may break callers of the old one. Returns `undefined` only for changes
 * that can't: other texts and, for input, new optional properties of a closed object, more types and allowed values,
 * wider bounds, and fewer required properties; for output, the reverse. Assumes that callers send only properties that
 * the schema declares, so an object without `additionalProperties` is closed for input.
 *
 * @example
 * findBreakingSchemaChange({ properties: {} }, { properties: { id: {} }, required: ["id"] }, "input"); // "it requires id"
 */
export function findBreakingSchemaChange(
  before: JsonValue,
  after: JsonValue,
  direction: Direction,
): string | undefined {
  const [from, to] = [withoutTexts(before), withoutTexts(after)];
  // A part that other parts refer to can make them accept less by accepting more.
  const isEntangled = [from, to].some((schema) => reference.test(JSON.stringify(schema)));
  if (isEntangled) return isSame(from, to) ? undefined : "its schema changed";
  return findChange(from, to, direction);
}

/** Removes the keywords that only describe a schema, from its parts as well. */
function withoutTexts(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(withoutTexts);
  if (!isJsonObject(schema)) return schema;
  const entries = Object.entries(schema).flatMap(([key, value]): [string, JsonValue][] => {
    if (annotations.has(key)) return [];
    if (schemas.test(key)) return [[key, withoutTexts(value)]];
    return [[key, schemaMaps.test(key) && isJsonObject(value) ? mapValues(value, withoutTexts) : value]];
  });
  return Object.fromEntries(entries);
}

const mapValues = (object: JsonObject, map: (value: JsonValue) => JsonValue): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));

/** Compares two values up to their first difference. */
const isSame = (one: JsonValue | undefined, other: JsonValue | undefined): boolean =>
  diffJson(one, other, 1).length === 0;

/** Returns the canonical form of a value, or its JSON text if it has none, such as half a surrogate pair. */
function toForm(value: JsonValue): string {
  try {
    return canonicalizeValue(value);
  } catch {
    return JSON.stringify(value);
  }
}

function findChange(before: JsonValue, after: JsonValue, direction: Direction): string | undefined {
  if (!isJsonObject(before) || !isJsonObject(after)) {
    return isSame(before, after) ? undefined : "its schema changed";
  }
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const key = keys.find((each) => !ruled.has(each) && !isSame(before[each], after[each]));
  if (key !== undefined) return `its ${key} changed`;
  if (keys.some((each) => entangling.test(each)) && !isSame(before, after)) return "its schema changed";
  const [smaller, larger] = direction === "input" ? [before, after] : [after, before];
  return (
    findPropertyChange(before, after, direction) ??
    findRequiredChange(before, after, direction) ??
    findNarrowing(smaller, larger) ??
    findItemsChange(before, after, direction)
  );
}

function findPropertyChange(before: JsonObject, after: JsonObject, direction: Direction): string | undefined {
  const [former, latter] = [before.properties ?? {}, after.properties ?? {}];
  if (!isJsonObject(former) || !isJsonObject(latter)) {
    return isSame(former, latter) ? undefined : "its properties changed";
  }
  for (const [name, from] of Object.entries(former)) {
    if (!Object.hasOwn(latter, name)) return `${name} was removed`;
    const change = findChange(from, latter[name] as JsonValue, direction);
    if (change !== undefined) return `${name}: ${change.replace(/^its /, "")}`;
  }
  const added = Object.keys(latter).find((name) => !Object.hasOwn(former, name));
  const takesNew = direction === "input" ? isClosed(before) : isOpen(before);
  return added === undefined || takesNew ? undefined : `${added} was added`;
}

/** Returns true if no caller sends an undeclared property. A schema that declares no object can be any value. */
function isClosed({ additionalProperties, properties, type }: JsonObject): boolean {
  if (additionalProperties !== undefined) return additionalProperties === false;
  return properties !== undefined || [type].flat().includes("object");
}

const isOpen = ({ additionalProperties = true }: JsonObject): boolean => additionalProperties === true;

function findRequiredChange(before: JsonObject, after: JsonObject, direction: Direction): string | undefined {
  const [held, asked] = direction === "input" ? [before, after] : [after, before];
  const [part, whole] = [asked.required ?? [], new Set(Array.isArray(held.required) ? held.required : [])];
  if (!Array.isArray(part)) return isSame(held.required, part) ? undefined : "its required changed";
  const names = part.filter((name) => !whole.has(name));
  if (names.length === 0) return undefined;
  return direction === "input"
    ? `it now requires ${names.join(", ")}`
    : `it may now omit ${names.join(", ")}`;
}

/** Returns what the larger of two schemas may refuse of the smaller one's values, apart from their parts. */
function findNarrowing(smaller: JsonObject, larger: JsonObject): string | undefined {
  const types = larger.type === undefined ? undefined : new Set([larger.type].flat());
  const takesType = (type: JsonValue) => types?.has(type) || (type === "integer" && types?.has("number"));
  if (types && !(smaller.type !== undefined && [smaller.type].flat().every(takesType))) {
    return "its type changed";
  }
  const [part, whole] = [listValues(smaller), listValues(larger)];
  if (whole && !(part && [...part].every((value) => whole.has(value)))) return "its allowed values changed";
  const isNarrower = (key: string, isOutside: (bound: number, limit: number) => boolean) => {
    const [bound, limit] = [smaller[key], larger[key]];
    if (limit === undefined || isSame(bound, limit)) return false;
    return typeof limit !== "number" || typeof bound !== "number" || isOutside(bound, limit);
  };
  const key =
    upperBounds.find((each) => isNarrower(each, (bound, limit) => bound > limit)) ??
    lowerBounds.find((each) => isNarrower(each, (bound, limit) => bound < limit));
  if (key !== undefined) return `its ${key} changed`;
  const [narrow, wide] = [smaller.additionalProperties, larger.additionalProperties];
  return isOpen(larger) || isSame(narrow, wide) ? undefined : "its additionalProperties changed";
}

/** Returns the canonical forms of the values of `enum` and `const`, or `undefined` if any value is allowed. */
function listValues({ enum: named, const: only }: JsonObject): Set<string> | undefined {
  const values = named === undefined ? undefined : new Set([named].flat().map(toForm));
  if (only === undefined) return values;
  const form = toForm(only);
  return new Set(values === undefined || values.has(form) ? [form] : []);
}

function findItemsChange(before: JsonObject, after: JsonObject, direction: Direction): string | undefined {
  const [smaller, larger] = direction === "input" ? [before, after] : [after, before];
  if (larger.items === undefined || larger.items === true) return undefined;
  // Without `items`, elements can be any value, so that any `items` may refuse some.
  if (smaller.items === undefined) return "its items changed";
  const change = findChange(before.items as JsonValue, after.items as JsonValue, direction);
  return change === undefined ? undefined : `items: ${change}`;
}
