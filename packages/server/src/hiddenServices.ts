import { readFileSync, type Stats, statSync } from "node:fs";
import { InvalidDidError, normalizeDid } from "@app-registry/sdk";
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

/** Services that the operator has hidden, with the public reasons. */
export type HiddenServices = {
  /** Returns the reason the records of a DID are hidden, or `undefined` if they are not. */
  reasonOf(did: string): string | undefined;
  dids(): readonly string[];
};

const hiddenFileSchema = z.record(z.string(), operatorText(500)).transform((hidden, context) => {
  const reasons = new Map<string, string>();
  for (const [key, reason] of Object.entries(hidden)) {
    try {
      reasons.set(normalizeDid(key), reason);
    } catch (error) {
      if (!(error instanceof InvalidDidError)) throw error;
      context.addIssue({ code: "custom", path: [key], message: `is not a DID: ${error.reason}` });
    }
  }
  return reasons;
});

/** Interval between two checks of the file, in milliseconds. */
const RELOAD_INTERVAL_MS = 1_000;

/**
 * Reads the hidden services from HIDDEN_FILE: `{"did:web:…": "the public reason"}`. Applies changes of the file within
 * a second. If the file becomes invalid or is deleted, logs that and keeps the previous content, so that a mistake does
 * not show hidden services.
 *
 * @throws {InvalidEnvironmentError} if the file is invalid at startup.
 */
export function readHiddenServices(file: string | undefined, now: () => number = Date.now): HiddenServices {
  if (file === undefined) return { reasonOf: () => undefined, dids: () => [] };
  const read = () => readOperatorFile("HIDDEN_FILE", file, hiddenFileSchema);
  let stamp = getFileStamp(file);
  let reasons = read();
  let lookedAt = now();
  const current = () => {
    if (now() - lookedAt < RELOAD_INTERVAL_MS) return reasons;
    lookedAt = now();
    const seen = getFileStamp(file);
    if (seen === stamp) return reasons;
    stamp = seen;
    try {
      reasons = read();
    } catch (error) {
      if (!(error instanceof InvalidEnvironmentError)) throw error;
      console.error(JSON.stringify({ level: "error", event: "hidden services kept", reason: error.message }));
    }
    return reasons;
  };
  return { reasonOf: (did) => current().get(did), dids: () => [...current().keys()] };
}

/** Returns a text that changes with the file, or an empty string if none exists. */
function getFileStamp(file: string): string {
  const stats: Stats | undefined = statSync(file, { throwIfNoEntry: false });
  return stats ? `${stats.mtimeMs} ${stats.size} ${stats.ino}` : "";
}
