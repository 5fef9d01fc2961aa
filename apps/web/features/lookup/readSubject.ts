import { AppRegistryError, parseSubject, type Subject } from "@app-registry/sdk";

/** Parses a text as a subject of a lookup. Returns `undefined` for words. */
export function readSubject(text: string): Subject | undefined {
  try {
    return parseSubject(text);
  } catch (error) {
    if (error instanceof AppRegistryError) return undefined;
    throw error;
  }
}
