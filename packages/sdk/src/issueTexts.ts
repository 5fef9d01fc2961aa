import type { core } from "zod/mini";

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
