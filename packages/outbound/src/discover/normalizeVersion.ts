import { formatVersion, InvalidVersionError, parseVersionSelector } from "@app-registry/sdk";

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
