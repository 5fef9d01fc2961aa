import { canonicalizeValue } from "../json.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../jsonValue.ts";

/** Keywords that only describe a JSON Schema (JSON Schema 2020-12, validation, section 9). */
const annotations = new Set([
  "$comment",
  "$schema",
  "$id",
  "default",
  "deprecated",
  "description",
  "examples",
  "readOnly",
  "title",
  "writeOnly",
]);

/** Upper bounds: a lower value accepts less. */
const upperBounds = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
/** Lower bounds: a higher value accepts less. */
const lowerBounds = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];

/** Direction of the data that a schema describes: callers send `input` and read `output`. */
type Direction = "input" | "output";

/**
 * Returns the reason why a tool's new JSON Schema may break callers of the old one. Returns `undefined` if the new
 * schema accepts (`input`) or returns (`output`) everything that the old one did. Assumes that callers send only
 * properties that the schema declares. A keyword that this function does not support is breaking if it differs.
 *
 * @example
 * findBreakingSchemaChange({ properties: {} }, { properties: { id: {} }, required: ["id"] }, "input"); // "it requires id"
 */
export function findBreakingSchemaChange(
  before: JsonValue,
  after: JsonValue,
  direction: Direction,
): string | undefined {
  if (!isJsonObject(before) || !isJsonObject(after)) {
    return sameJson(before, after) ? undefined : "its schema changed";
  }
  return (
    narrowedProperties(before, after, direction) ??
    narrowedRequired(before, after, direction) ??
    narrowedValues(before, after, direction) ??
    narrowedBounds(before, after, direction) ??
    findOtherNarrowing(before, after, direction)
  );
}

const sameJson = (one: JsonValue, other: JsonValue): boolean => toForm(one) === toForm(other);

/**
 * Returns the canonical form of a value. A server can also list a value without one, such as half a surrogate pair;
 * this returns its JSON text.
 */
function toForm(value: JsonValue): string {
  try {
    return canonicalizeValue(value);
  } catch {
    return JSON.stringify(value);
  }
}

/** Parts of a schema, in the form in which they are compared. */
type Facts = {
  /** Names of the properties. */
  names: string[];
  required: Set<JsonValue>;
  /** Accepted types, and the canonical forms of the values of `enum` and `const`; `undefined` if unrestricted. */
  types: Set<JsonValue> | undefined;
  values: Set<string> | undefined;
  /** Keywords that this module does not support. */
  others: string[];
};

/** Cache of facts. One schema can be compared with each of many properties. */
const factsBySchema = new WeakMap<JsonObject, Facts>();

function getFacts(schema: JsonObject): Facts {
  const known = factsBySchema.get(schema);
  if (known) return known;
  const { type, enum: named, const: only } = schema;
  const values = Array.isArray(named) ? new Set(named.map(toForm)) : undefined;
  const form = only === undefined ? undefined : toForm(only);
  const facts = {
    names: Object.keys(listProperties(schema)),
    required: new Set(toList(schema.required)),
    types: type === undefined ? undefined : new Set(Array.isArray(type) ? type : [type]),
    values: form === undefined ? values : new Set((values ?? new Set([form])).has(form) ? [form] : []),
    others: Object.keys(schema).filter((key) => !supportedKeywords.has(key)),
  };
  factsBySchema.set(schema, facts);
  return facts;
}

const listProperties = ({ properties }: JsonObject): JsonObject =>
  isJsonObject(properties) ? properties : {};
const toList = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : []);

function narrowedProperties(before: JsonObject, after: JsonObject, direction: Direction): string | undefined {
  const [former, latter] = [listProperties(before), listProperties(after)];
  const open = before.additionalProperties ?? false;
  for (const name of eachOf(getFacts(before).names, getFacts(after).names)) {
    const to = Object.hasOwn(latter, name) ? latter[name] : undefined;
    if (to === undefined) return `${name} was removed`;
    const isNew = !Object.hasOwn(former, name);
    // Skip a new property, unless callers could already send it as an additional property.
    if (isNew && (open === false || direction === "output")) continue;
    const from = isNew ? (open === true ? {} : open) : (former[name] as JsonValue);
    const inner = findBreakingSchemaChange(from, to, direction);
    if (inner !== undefined) return `${name}: ${inner.replace(/^its /, "")}`;
  }
  return undefined;
}

function narrowedRequired(before: JsonObject, after: JsonObject, direction: Direction): string | undefined {
  const [held, asked] = direction === "input" ? [before, after] : [after, before];
  const names = [...getFacts(asked).required].filter((name) => !getFacts(held).required.has(name));
  if (names.length === 0) return undefined;
  return direction === "input"
    ? `it now requires ${names.join(", ")}`
    : `it may now omit ${names.join(", ")}`;
}

function narrowedValues(before: JsonObject, after: JsonObject, direction: Direction): string | undefined {
  const [smaller, larger] = direction === "input" ? [before, after] : [after, before];
  const [part, whole] = [getFacts(smaller), getFacts(larger)];
  const { types, values } = whole;
  const takesType = (type: JsonValue) =>
    types === undefined || types.has(type) || (type === "integer" && types.has("number"));
  if (types && !every(part.types ?? [null], takesType)) return "its type changed";
  if (values && !(part.values && every(part.values, (value) => values.has(value))))
    return "its allowed values changed";
  return undefined;
}

/** Returns true if all values pass. Stops at the first that fails, without copying the values. */
function every<Value>(values: Iterable<Value>, isRight: (value: Value) => boolean): boolean {
  for (const value of values) if (!isRight(value)) return false;
  return true;
}

function* eachOf(...lists: string[][]): Generator<string> {
  for (const list of lists) yield* list;
}

function narrowedBounds(before: JsonObject, after: JsonObject, direction: Direction): string | undefined {
  const [smaller, larger] = direction === "input" ? [before, after] : [after, before];
  const exceeds = (key: string, isOutside: (bound: number, limit: number) => boolean) => {
    const [bound, limit] = [smaller[key], larger[key]];
    return typeof limit === "number" && (typeof bound !== "number" || isOutside(bound, limit));
  };
  const key =
    upperBounds.find((each) => exceeds(each, (bound, limit) => bound > limit)) ??
    lowerBounds.find((each) => exceeds(each, (bound, limit) => bound < limit));
  return key === undefined ? undefined : `its ${key} changed`;
}

const supportedKeywords = new Set([
  ...annotations,
  ...upperBounds,
  ...lowerBounds,
  "additionalProperties",
  "const",
  "enum",
  "items",
  "properties",
  "required",
  "type",
]);

function findOtherNarrowing(before: JsonObject, after: JsonObject, direction: Direction): string | undefined {
  const isClosed = (schema: JsonObject) =>
    schema.additionalProperties !== undefined && schema.additionalProperties !== true;
  if (
    direction === "input" &&
    isClosed(after) &&
    !sameJson(before.additionalProperties ?? true, after.additionalProperties as JsonValue)
  ) {
    return "its additionalProperties changed";
  }
  if (before.items !== undefined || after.items !== undefined) {
    const inner = findBreakingSchemaChange(before.items ?? {}, after.items ?? {}, direction);
    if (inner !== undefined) return `items: ${inner}`;
  }
  for (const key of eachOf(getFacts(before).others, getFacts(after).others)) {
    if (!sameJson(before[key] ?? null, after[key] ?? null)) return `its ${key} changed`;
  }
  return undefined;
}
