import type { JsonValue } from "@app-registry/sdk";

/** Whether two JSON values are equal; the order of an object's members doesn't count. */
export function isEqualJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [one, other] = [Object.entries(a), new Map(Object.entries(b))];
  return (
    one.length === other.size &&
    one.every(([key, value]) => other.has(key) && isEqualJson(value, other.get(key)))
  );
}
