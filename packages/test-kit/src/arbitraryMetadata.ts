import { type JsonObject, metadataSchema, parseJsonStrict } from "@app-registry/sdk";
import fc from "fast-check";

const words = fc.stringMatching(/^[a-z]{1,12}$/);
const url = words.map((word) => `https://${word}.example.com/${word}`);
/** Property names that every object inherits, and random names. */
const key = fc.oneof(
  fc.constantFrom("__proto__", "constructor", "toString", "hasOwnProperty", "", "a/b", "~"),
  fc.string({ maxLength: 8 }),
);
const json = fc.jsonValue({ maxDepth: 3 });
/** Adds random unknown fields to the given ones. */
const withUnknown = (fields: fc.Arbitrary<object>): fc.Arbitrary<JsonObject> =>
  fc
    .tuple(fc.array(fc.tuple(key, json), { maxLength: 3 }), fields)
    .map(([unknown, known]) => Object.fromEntries([...unknown, ...Object.entries(known)]) as JsonObject);
const optional = <Shape extends Record<string, fc.Arbitrary<unknown>>>(shape: Shape) =>
  withUnknown(fc.record(shape, { requiredKeys: [] }) as fc.Arbitrary<object>);

const endpoint = fc
  .tuple(
    fc.constantFrom("MCP", "A2A", "REST", "Contract", "Other"),
    optional({
      endpoint: url,
      schemaUrl: url,
      interfaceVersions: fc.array(words, { maxLength: 2 }),
      tools: fc.array(
        withUnknown(fc.record({ name: words, inputSchema: optional({ type: fc.constant("object") }) })),
        { maxLength: 2 },
      ),
      transport: optional({ http: optional({ url }) }),
    }),
  )
  .map(([name, rest]) => ({ ...rest, name }));

/** Generates metadata JSON that the schema accepts, with unknown fields at any place. */
export const arbitraryMetadata: fc.Arbitrary<JsonObject> = fc
  .tuple(
    fc.record({ name: words, description: words, publisher: words }),
    optional({
      image: url,
      external_url: url,
      traits: fc.uniqueArray(words, { maxLength: 4 }),
      platforms: fc.dictionary(key, optional({ launchUrl: url }), { maxKeys: 2 }),
      endpoints: fc.array(endpoint, { maxLength: 3 }),
      screenshotUrls: fc.array(url, { maxLength: 2 }),
    }),
  )
  .map(([required, rest]) => ({ ...rest, ...required }) as JsonObject)
  .filter((metadata) => metadataSchema.safeParse(metadata).success && isReadable(metadata));

/** Returns true if the metadata can be read from a file: it has no value that JSON writes differently, such as -0. */
function isReadable(metadata: JsonObject): boolean {
  try {
    parseJsonStrict(JSON.stringify(metadata));
    return true;
  } catch {
    return false;
  }
}
