import type { JsonValue } from "@app-registry/sdk";

/** Converts a metadata value to the text of a single-text field. */
export const toText = (value: JsonValue | undefined): string =>
  typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);

/** Converts a metadata value to the entries of a list field. */
export const toList = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : []);

/** Prefixes an item with its article: "a tool", "an endpoint". */
export const withArticle = (item: string): string =>
  `${/^[aeiou]/i.test(item) ? "an" : "a"} ${/^[A-Z]{2}/.test(item) ? item : item.charAt(0).toLowerCase() + item.slice(1)}`;
