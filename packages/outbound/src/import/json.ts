import { isJsonObject, type JsonObject, type JsonValue, parseJsonStrict } from "@app-registry/sdk";

/** Returns an untrusted value if it is a string that is not blank, else `undefined`. */
export const asString = (value: JsonValue | undefined): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined;
export const asArray = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : []);
export const asObject = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});
export const asObjectArray = (value: JsonValue | undefined): JsonObject[] =>
  asArray(value).filter((item) => isJsonObject(item));
export const asStringArray = (value: JsonValue | undefined): string[] =>
  asArray(value).filter((item): item is string => typeof item === "string" && item.trim() !== "");

export const compact = <Value>(values: readonly (Value | undefined)[]): Value[] =>
  values.filter((value): value is Value => value !== undefined);

/** Returns an object with its keys in camel case: `mcp_url` becomes `mcpUrl`. */
export const camelCase = (object: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(object).map(([key, value]) => [
      key.replace(/(?<=[a-z\d])_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );

/** Parses JSON. Returns `undefined` for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses a JSON object strictly. Returns `undefined` for another text. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value = parseJsonStrict(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
