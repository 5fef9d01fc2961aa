import { isJsonObject, type JsonObject, type JsonValue } from "@app-registry/sdk";

/** Lists the terms of x402 in a tool's result, structured and as text, because a client may read either. */
export function listPaymentTerms(result: unknown): JsonObject[] {
  const { structuredContent, content } = result as JsonObject;
  const texts = (Array.isArray(content) ? content : []).map((one) => (isJsonObject(one) ? one.text : ""));
  return [structuredContent, ...texts.map(parseTerms)].filter(
    (one): one is JsonObject => isJsonObject(one) && Array.isArray(one.accepts),
  );
}

/** Parses like a client, also a text with duplicate keys. Skips other texts, which may be long. */
function parseTerms(text: JsonValue | undefined): JsonValue | undefined {
  if (typeof text !== "string" || !/^\s*\{/.test(text) || !text.includes("accepts")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
