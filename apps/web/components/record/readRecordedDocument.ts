import { dataUrlPath, type JsonValue, parseJsonStrict, type Version } from "@app-registry/sdk";

/**
 * The metadata JSON of a version, which the registry has checked against the recorded hash.
 * @throws Error with the registry's own words when it has no such document or can't read it now.
 */
export async function readRecordedDocument(did: string, version: Version): Promise<JsonValue> {
  const response = await fetch(dataUrlPath(did, version));
  const text = await response.text();
  if (!response.ok) {
    const { detail, title } = (JSON.parse(text) ?? {}) as { detail?: string; title?: string };
    throw new Error(detail ?? title ?? `The registry returned HTTP ${response.status}.`);
  }
  return parseJsonStrict(text);
}
