export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** JSON object: neither null nor an array. */
export type JsonObject = { [key: string]: JsonValue };

/**
 * Returns true if a value is a JSON object: neither null nor an array.
 *
 * @example
 * isJsonObject([]); // false
 */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject;
export function isJsonObject(value: unknown): value is Record<string, unknown>;
export function isJsonObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns the JSON Pointer (RFC 6901) of a path of keys and indexes.
 *
 * @example
 * toJsonPointer(["a/b", 0]); // "/a~1b/0"
 */
export function toJsonPointer(path: readonly PropertyKey[]): string {
  return path.map((segment) => `/${String(segment).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/**
 * Returns the keys and indexes of a JSON Pointer (RFC 6901), unescaped. `""` is the whole document.
 *
 * @example
 * parseJsonPointer("/a~1b/0"); // ["a/b", "0"]
 */
export function parseJsonPointer(pointer: string): string[] {
  if (pointer === "") return [];
  return pointer
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/**
 * Returns the value at a JSON Pointer (RFC 6901), or `undefined` if the document has none there.
 *
 * @example
 * getAtPointer({ endpoints: [{ name: "REST" }] }, "/endpoints/0/name"); // "REST"
 */
export function getAtPointer(document: JsonValue, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const token of parseJsonPointer(pointer)) {
    if (Array.isArray(value)) value = value[Number(token)];
    else if (isJsonObject(value) && Object.hasOwn(value, token)) value = value[token];
    else return undefined;
  }
  return value;
}
