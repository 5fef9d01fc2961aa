import {
  getAtPointer,
  isJsonObject,
  JsonDocumentError,
  type JsonObject,
  type JsonValue,
  parseJsonPointer,
  parseJsonStrict,
} from "@app-registry/sdk";

/** Returns the entries of a list, none for any other value. */
export const toList = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : []);

/** Converts a value to the text of a single-text field. */
export const toText = (value: JsonValue | undefined): string =>
  typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);

/** Returns a copy of a value with `leaf` below it, or without that part if `leaf` is undefined. */
function edit(
  value: JsonValue | undefined,
  [head, ...rest]: string[],
  leaf: JsonValue | undefined,
): JsonValue | undefined {
  if (head === undefined) return leaf;
  if (Array.isArray(value) || (!isJsonObject(value) && /^(0|[1-9]\d*)$/.test(head))) {
    const copy = [...toList(value)];
    const index = Math.min(Number(head), copy.length);
    const next = edit(copy[index], rest, leaf);
    // Keep an empty row in its list until the row itself is removed.
    if (next === undefined && rest.length === 0) copy.splice(index, 1);
    else copy[index] = next ?? (Array.isArray(copy[index]) ? [] : {});
    return copy.length === 0 ? undefined : copy;
  }
  const { [head]: present, ...others } = isJsonObject(value) ? value : {};
  const next = edit(present, rest, leaf);
  if (next !== undefined) return { ...(isJsonObject(value) && value), [head]: next };
  return Object.keys(others).length === 0 ? undefined : others;
}

/**
 * Returns a copy of an object with a value set at a pointer. Creates missing objects and arrays on the path, and
 * replaces values of other types that block it.
 */
export function setAt(document: JsonObject, pointer: string, value: JsonValue): JsonObject {
  const result = edit(document, parseJsonPointer(pointer), value);
  return isJsonObject(result) ? result : document;
}

/**
 * Returns a copy of an object without the value at a pointer. Also removes objects and lists that become empty, so that
 * filling and clearing a field leaves no trace. Other empty values are content and stay.
 */
export function removeAt(document: JsonObject, pointer: string): JsonObject {
  if (getAtPointer(document, pointer) === undefined) return document;
  const result = edit(document, parseJsonPointer(pointer), undefined);
  return isJsonObject(result) ? result : {};
}

/**
 * Returns the value of a JSON editor's text, `undefined` if the text is empty, or the problem with its line and column.
 * The whole document, at `""`, must be an object.
 */
export function readText(
  pointer: string,
  text: string,
): { value: JsonValue | undefined; problem?: undefined } | { value?: undefined; problem: string } {
  if (text.trim() === "")
    return pointer === "" ? { problem: "The metadata is empty. Enter a JSON object." } : { value: undefined };
  try {
    const value = parseJsonStrict(text) as JsonValue;
    return pointer !== "" || isJsonObject(value)
      ? { value }
      : { problem: "The metadata must be a JSON object." };
  } catch (error) {
    if (!(error instanceof JsonDocumentError)) return { problem: "This isn't valid JSON." };
    return { problem: `Line ${error.line}, column ${error.column}: ${error.reason}` };
  }
}
