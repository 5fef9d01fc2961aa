import { formatVersion, InvalidVersionError, parseVersionSelector } from "@app-registry/sdk";
import { printable } from "../fetch/printable.ts";

/**
 * Converts a version to major.minor.patch. Returns `undefined` if it has other parts or one above 255.
 * @example
 * normalizeVersion("v1.2"); // "1.2.0"
 */
export function normalizeVersion(text: unknown): string | undefined {
  if (typeof text !== "string") return undefined;
  try {
    const { major, minor = 0, patch = 0 } = parseVersionSelector(text.trim().replace(/^v/i, ""));
    return formatVersion({ major, minor, patch });
  } catch (error) {
    if (error instanceof InvalidVersionError) return undefined;
    throw error;
  }
}

/** Explains that a document's version can't be that of a record. */
export const describeUnusableVersion = (version: string): string =>
  `The document's version, "${printable(version)}", isn't major.minor.patch with numbers from 0 to 255. ` +
  "Choose the version to publish yourself.";
