import { readFileSync } from "node:fs";
import { z } from "zod";
import { InvalidEnvironmentError } from "./environment.ts";

/** Control characters, bidirectional marks, other invisible characters, and line separators. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/u;

/** Creates the schema of a public text by the operator: one line of at most `max` characters. */
export const operatorText = (max: number) =>
  z
    .string()
    .trim()
    .min(1, "must not be empty")
    .refine((text) => [...text].length <= max, `must have at most ${max} characters`)
    .refine((text) => !UNSEEN.test(text), "must not contain control, bidirectional or invisible characters");

/**
 * Reads a JSON file of the operator.
 *
 * @throws {InvalidEnvironmentError} with the setting and all invalid parts of the file.
 */
export function readOperatorFile<Schema extends z.ZodType>(
  setting: string,
  file: string,
  schema: Schema,
): z.output<Schema> {
  const refuse = (why: string) => new InvalidEnvironmentError([`${setting} ${file} ${why}`]);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw refuse(error instanceof SyntaxError ? "is not JSON" : "can't be read");
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const places = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "the file"} ${message}`);
  throw refuse(`is not valid: ${places.join("; ")}`);
}
