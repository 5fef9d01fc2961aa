import { isJsonObject, type JsonObject, type JsonValue } from "@app-registry/sdk";

/** What a stranger's JSON has where a type is expected: nothing else gets further. */
export const asString = (value: JsonValue | undefined): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined;
export const asArray = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : []);
export const asObject = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});
export const asObjectArray = (value: JsonValue | undefined): JsonObject[] =>
  asArray(value).filter((item) => isJsonObject(item));
export const asStringArray = (value: JsonValue | undefined): string[] =>
  asArray(value).filter((item): item is string => typeof item === "string" && item.trim() !== "");

/** The values without those that are not there. */
export const compact = <Value>(values: readonly (Value | undefined)[]): Value[] =>
  values.filter((value): value is Value => value !== undefined);
