import { getAddress, type Hex } from "viem";
import type { core } from "zod/mini";
import * as z from "zod/mini";

const kinds: Record<string, string> = {
  ...{ string: "a text", number: "a number", int: "a whole number", bigint: "a whole number" },
  ...{ boolean: "true or false", array: "a list", tuple: "a list", object: "an object", record: "an object" },
};

const units: Record<string, string> = { string: " characters", array: " items" };

const named = (value: unknown): string => (typeof value === "string" ? `"${value}"` : String(value));

/** Describes the expected value, as an error map of zod: "at most 100". Never repeats the given value. */
export const describeIssue: core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "required" : `expected ${kinds[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `expected ${issue.values.map(named).join(", ")}`;
    case "too_big":
      return `${issue.inclusive ? "at most" : "less than"} ${issue.maximum}${units[issue.origin] ?? ""}`;
    case "too_small":
      return `${issue.inclusive ? "at least" : "more than"} ${issue.minimum}${units[issue.origin] ?? ""}`;
    case "invalid_format":
      return formats[issue.format] ?? "not in the expected format";
    case "unrecognized_keys":
      return `unknown: ${issue.keys.map(named).join(", ")}`;
    default:
      return "not a valid value";
  }
};

const time = "expected a time, such as 2026-01-31T00:00:00Z";

const formats: Record<string, string> = { url: "expected a URL", datetime: time, date: time };

/** Returns the message of a document's schema for a missing value or a value of another type. */
export function expected(what: string) {
  return (issue: { input?: unknown }) =>
    issue.input === undefined ? "This is required." : `This must be ${what}.`;
}

/** Any string of a document. */
export const stringSchema = z.string({ error: expected("text") });

/** Returns a copy of a schema with a description for JSON Schema and OpenAPI. */
// @__NO_SIDE_EFFECTS__
export function described<Schema extends z.core.$ZodType>(schema: Schema, description: string): Schema {
  const copy = z.clone(schema);
  z.globalRegistry.add(copy, { description });
  return copy;
}

/**
 * Returns the schema of a hexadecimal text. A template literal would infer the type, but makes the type ten times as
 * large.
 */
const hexSchema = (pattern: RegExp, expected: string) =>
  z.string().check(z.regex(pattern, `expected ${expected}`)) as unknown as z.ZodMiniType<Hex, Hex>;

/** 20-byte address, `0x` and 40 hexadecimal digits. */
export const addressSchema = hexSchema(/^0x[0-9a-fA-F]{40}$/, "an address, 0x and 40 hexadecimal digits");

/** 20-byte address in any case. Parsing checksums it (EIP-55). */
export const checksummedAddressSchema = z.pipe(
  addressSchema,
  z.transform((address: Hex) => getAddress(address)),
);

/** 32 bytes, `0x` and 64 hexadecimal digits. */
export const hashSchema = hexSchema(/^0x[0-9a-fA-F]{64}$/, "a hash, 0x and 64 hexadecimal digits");

/** One or more whole bytes in hexadecimal. */
export const bytesSchema = hexSchema(/^0x([0-9a-fA-F]{2})+$/, "0x and whole bytes in hexadecimal");

/** Count, block number or time in seconds: a safe integer from 0. */
export const countSchema = z.int().check(z.nonnegative());
