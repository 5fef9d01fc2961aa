import { type Stats, statSync } from "node:fs";
import { InvalidDidError, normalizeDid } from "@app-registry/sdk";
import { z } from "zod";
import { InvalidEnvironmentError } from "./environment.ts";
import { operatorText, readOperatorFile } from "./operatorFile.ts";

/** The services that the operator shows in no list, with the reasons that it gives to everybody. */
export type HiddenServices = {
  /** Why all records of a DID are hidden; undefined when they are not. */
  reasonOf(did: string): string | undefined;
  /** The DIDs that are hidden now. */
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

/** Milliseconds after which the file is looked at again. */
const RELOAD_INTERVAL_MS = 1_000;

/**
 * The services that HIDDEN_FILE hides: `{"did:web:…": "the public reason"}`. A change of the file is taken over within a
 * second. One that is not valid, or a file that is gone, changes nothing and is logged: a slip shows no hidden service.
 *
 * @throws InvalidEnvironmentError when the file is not valid at the start.
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

/** Changes with the file; empty while there is none. */
function getFileStamp(file: string): string {
  const stats: Stats | undefined = statSync(file, { throwIfNoEntry: false });
  return stats ? `${stats.mtimeMs} ${stats.size} ${stats.ino}` : "";
}
