import { isJsonObject, type JsonObject, type JsonValue } from "@app-registry/sdk";

/** What a stranger's JSON has where a type is expected: nothing else gets further. */
export const textOf = (value: JsonValue | undefined): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined;
export const listOf = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : []);
export const objectOf = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});
export const objectsOf = (value: JsonValue | undefined): JsonObject[] =>
  listOf(value).filter((item) => isJsonObject(item));
export const textsOf = (value: JsonValue | undefined): string[] =>
  listOf(value).filter((item): item is string => typeof item === "string" && item.trim() !== "");

/** The values without those that are not there. */
export const present = <Value>(values: readonly (Value | undefined)[]): Value[] =>
  values.filter((value): value is Value => value !== undefined);
