import type { JsonValue } from "@app-registry/sdk";

/** A value of the metadata as a field of one text shows it. */
export const toText = (value: JsonValue | undefined): string =>
  typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);

/** A value of the metadata as a field of several entries shows it. */
export const toList = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : []);

/** "a tool", "an endpoint". */
export const withArticle = (item: string): string =>
  `${/^[aeiou]/i.test(item) ? "an" : "a"} ${/^[A-Z]{2}/.test(item) ? item : item.charAt(0).toLowerCase() + item.slice(1)}`;
