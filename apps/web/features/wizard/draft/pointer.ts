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

const isIndex = (token: string): boolean => /^(0|[1-9]\d*)$/.test(token);

function setIn(value: JsonValue | undefined, tokens: string[], leaf: JsonValue): JsonValue {
  const [head, ...rest] = tokens;
  if (head === undefined) return leaf;
  if (Array.isArray(value) || (!isJsonObject(value) && isIndex(head))) {
    const copy = Array.isArray(value) ? [...value] : [];
    copy[Math.min(Number(head), copy.length)] = setIn(copy[Number(head)], rest, leaf);
    return copy;
  }
  const copy: JsonObject = isJsonObject(value) ? { ...value } : {};
  copy[head] = setIn(Object.hasOwn(copy, head) ? copy[head] : undefined, rest, leaf);
  return copy;
}

/**
 * Returns a copy of an object with a value set at a pointer. Creates missing objects and arrays on the path, and
 * replaces values of other types that block it.
 */
export function setAt(document: JsonObject, pointer: string, value: JsonValue): JsonObject {
  const result = setIn(document, parseJsonPointer(pointer), value);
  return isJsonObject(result) ? result : document;
}

const isEmpty = (value: JsonValue): boolean =>
  Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0;

function removeIn(value: JsonValue, tokens: string[]): JsonValue | undefined {
  const [head, ...rest] = tokens;
  if (head === undefined) return undefined;
  if (Array.isArray(value)) {
    const index = Number(head);
    const element = value[index];
    if (element === undefined) return value;
    const copy = [...value];
    const replaced = removeIn(element, rest);
    // Keep an empty row in its list until the row itself is removed.
    if (replaced === undefined && rest.length === 0) copy.splice(index, 1);
    else copy[index] = replaced ?? (Array.isArray(element) ? [] : {});
    return copy.length === 0 ? undefined : copy;
  }
  if (!isJsonObject(value) || !Object.hasOwn(value, head)) return value;
  const replaced = removeIn(value[head] as JsonValue, rest);
  const { [head]: _removed, ...others } = value;
  const copy = replaced === undefined ? others : { ...value, [head]: replaced };
  return isEmpty(copy) ? undefined : copy;
}

/**
 * Returns a copy of an object without the value at a pointer. Also removes objects and lists that become empty, so that
 * filling and clearing a field leaves no trace. Other empty values are content and stay.
 */
export function removeAt(document: JsonObject, pointer: string): JsonObject {
  if (getAtPointer(document, pointer) === undefined) return document;
  const result = removeIn(document, parseJsonPointer(pointer));
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
