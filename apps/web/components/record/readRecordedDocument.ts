import { dataUrlPath, type JsonValue, parseJsonStrict, type Version } from "@app-registry/sdk";

/**
 * Reads the metadata of a version. The registry has checked it against the recorded hash.
 *
 * @throws Error with the registry's reason if the document is missing or couldn't be read.
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
