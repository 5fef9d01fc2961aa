import { canonicalizeValue } from "../json.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../jsonValue.ts";

/** Keywords of a JSON Schema that only describe it (JSON Schema 2020-12, validation, section 9). */
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

/** Bounds of which a lower one accepts less, and of which a higher one does. */
const upperBounds = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
const lowerBounds = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];

/** Whose data a schema describes: what callers send, or what they read. */
type Direction = "input" | "output";

/**
 * Why a tool's new JSON Schema may break callers of the old one; undefined if it takes (`input`) or gives (`output`) all
 * that the old one did. Callers are expected to send only properties that the schema declares. A keyword that this does
 * not understand counts as breaking when it differs.
 *
 * @example
 * schemaNarrowing({ properties: {} }, { properties: { id: {} }, required: ["id"] }, "input"); // "it requires id"
 */
export function schemaNarrowing(
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
    narrowedRest(before, after, direction)
  );
}

const sameJson = (one: JsonValue, other: JsonValue): boolean =>
  canonicalizeValue(one) === canonicalizeValue(other);

const propertiesOf = ({ properties }: JsonObject): JsonObject => (isJsonObject(properties) ? properties : {});
const listOf = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : []);

function narrowedProperties(before: JsonObject, after: JsonObject, direction: Direction): string | undefined {
  const [former, latter] = [propertiesOf(before), propertiesOf(after)];
  const open = before.additionalProperties ?? false;
  for (const name of new Set([...Object.keys(former), ...Object.keys(latter)])) {
    const to = Object.hasOwn(latter, name) ? latter[name] : undefined;
    if (to === undefined) return `${name} was removed`;
    const isNew = !Object.hasOwn(former, name);
    // Whoever may send any property may send this one.
    if (isNew && (open === false || direction === "output")) continue;
    const from = isNew ? (open === true ? {} : open) : (former[name] as JsonValue);
    const inner = schemaNarrowing(from, to, direction);
    if (inner !== undefined) return `${name}: ${inner.replace(/^its /, "")}`;
  }
  return undefined;
}

function narrowedRequired(before: JsonObject, after: JsonObject, direction: Direction): string | undefined {
  const [held, asked] = direction === "input" ? [before, after] : [after, before];
  const names = listOf(asked.required).filter((name) => !listOf(held.required).includes(name));
  if (names.length === 0) return undefined;
  return direction === "input"
    ? `it now requires ${names.join(", ")}`
    : `it may now omit ${names.join(", ")}`;
}

/** What a schema accepts by `type`, `enum` and `const`; undefined for everything. */
function acceptedBy(schema: JsonObject): { types?: JsonValue[]; values?: JsonValue[] } {
  const types =
    schema.type === undefined ? undefined : Array.isArray(schema.type) ? schema.type : [schema.type];
  const named = Array.isArray(schema.enum) ? schema.enum : undefined;
  const { const: only } = schema;
  const values = only === undefined ? named : (named ?? [only]).filter((value) => sameJson(value, only));
  return { ...(types && { types }), ...(values && { values }) };
}

function narrowedValues(before: JsonObject, after: JsonObject, direction: Direction): string | undefined {
  const [smaller, larger] = direction === "input" ? [before, after] : [after, before];
  const [part, whole] = [acceptedBy(smaller), acceptedBy(larger)];
  const takesType = (type: JsonValue) =>
    whole.types === undefined ||
    whole.types.includes(type) ||
    (type === "integer" && whole.types.includes("number"));
  if (whole.types && !(part.types ?? [null]).every(takesType)) return "its type changed";
  const takesValue = (value: JsonValue) => whole.values?.some((each) => sameJson(each, value)) ?? true;
  if (whole.values && !(part.values?.every(takesValue) ?? false)) return "its allowed values changed";
  return undefined;
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

const understood = new Set([
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

function narrowedRest(before: JsonObject, after: JsonObject, direction: Direction): string | undefined {
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
    const inner = schemaNarrowing(before.items ?? {}, after.items ?? {}, direction);
    if (inner !== undefined) return `items: ${inner}`;
  }
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  const other = [...keys].find(
    (key) => !understood.has(key) && !sameJson(before[key] ?? null, after[key] ?? null),
  );
  return other === undefined ? undefined : `its ${other} changed`;
}
