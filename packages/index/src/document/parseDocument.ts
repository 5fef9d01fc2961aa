import {
  type EndpointLabel,
  getEndpoints,
  isCanonicalDid,
  isJsonObject,
  JsonDocumentError,
  MAX_NAME_LENGTH,
  type Metadata,
  metadataSchema,
  parseJsonStrict,
  safeHref,
  toJsonPointer,
} from "@app-registry/sdk";
import { describeIssue, fieldDescriptions, visitFields } from "@app-registry/sdk/internal";
import { z } from "zod";
import { listAddressKeys, listReached, toPostgresText } from "./keys.ts";

/** Longest text, in UTF-16 code units, and most entries of a list. */
const MAX_TEXT = 1_000;
const MAX_ENTRIES = 50;

/** Largest JSON of all packages of a record, in UTF-16 code units. */
const MAX_PACKAGES_SIZE = 16_000;

const shortSchema = z.string().max(MAX_TEXT);
const text = shortSchema.transform((value) => toPostgresText(value));
const filled = text.refine((value) => value.trim() !== "");
const flag = z.boolean();
const list = <Item extends z.ZodType>(item: Item) => z.array(item).max(MAX_ENTRIES).optional();

// The definitions of server.json (schema of 2025-12-11), without unknown fields.
const inputSchema = z
  .object({
    ...{ description: text, value: text, default: text, placeholder: text },
    ...{ isRequired: flag, isSecret: flag, format: z.enum(["string", "number", "boolean", "filepath"]) },
    choices: z.array(text).max(MAX_ENTRIES),
  })
  .partial();
const variables = z.record(z.string().regex(/^[\w.-]{1,64}$/), inputSchema).optional();
const namedSchema = inputSchema.extend({ name: filled, variables });
const argumentSchema = inputSchema
  .extend({
    ...{ type: z.enum(["named", "positional"]), isRepeated: flag.optional(), variables },
    ...{ name: filled.optional(), valueHint: text.optional() },
  })
  .refine(({ type, ...one }) => (type === "named" ? one.name : (one.value ?? one.valueHint)) !== undefined);
const transportSchema = z.union([
  z.object({ type: z.literal("stdio") }),
  z.object({
    type: z.enum(["streamable-http", "sse"]),
    url: text.refine((url) => /^https?:\/\/\S+$/.test(url)),
    headers: list(namedSchema),
  }),
]);
const packageSchema = z.object({
  ...{ registryType: filled, identifier: filled, transport: transportSchema },
  version: filled.refine((version) => version !== "latest").optional(),
  registryBaseUrl: text.refine((url) => /^https?:\/\/[\w.:-]+(?:\/[\w./~-]*)?$/.test(url)).optional(),
  fileSha256: text.refine((hash) => /^[0-9a-f]{64}$/.test(hash)).optional(),
  runtimeHint: text.optional(),
  ...{ runtimeArguments: list(argumentSchema), packageArguments: list(argumentSchema) },
  environmentVariables: list(namedSchema),
});

/** Parts of a metadata JSON that a list of MCP servers adds to the other labels. */
export type DetailLabels = {
  packages?: z.output<typeof packageSchema>[];
  deprecation?: string;
  replacedBy?: string;
};

/** Reads the details. Skips packages that server.json does not allow, such as those without a transport. */
export function readDetails({ packages, deprecation, replacedBy }: Record<string, unknown>): DetailLabels {
  const found: DetailLabels["packages"] = [];
  for (const written of Array.isArray(packages) ? packages.slice(0, MAX_ENTRIES) : []) {
    const { data } = packageSchema.safeParse(written);
    if (data && JSON.stringify([...found, data]).length <= MAX_PACKAGES_SIZE) found.push(data);
  }
  return {
    ...(found.length > 0 && { packages: found }),
    ...(typeof deprecation === "string" &&
      deprecation.trim() !== "" && { deprecation: toPostgresText(deprecation.trim(), MAX_TEXT) }),
    ...(typeof replacedBy === "string" && isCanonicalDid(replacedBy) && { replacedBy }),
  };
}

const keySchema = z.object({
  in: z.enum(["header", "query", "cookie", "bearer"]),
  // A token of HTTP (RFC 9110, 5.6.2).
  name: z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/),
  description: text.optional().catch(undefined),
});

/** Reads the keys and tokens of an endpoint. With OAuth 2, clients get a token themselves. */
export function readCredentials(authentication: unknown): EndpointLabel["credentials"] {
  if (!isJsonObject(authentication) || authentication.oauth2 !== undefined) return undefined;
  const { apiKey, bearer } = authentication;
  const written = [apiKey, isJsonObject(bearer) && { ...bearer, in: "bearer", name: "Authorization" }];
  const found = written.flatMap((one) => keySchema.safeParse(one).data ?? []);
  return found.length > 0 ? found : undefined;
}

/** Problem of a JSON at an RFC 6901 pointer. */
type DocumentProblem = { pointer: string; code: string; message: string };

/** Parts of a metadata JSON that the index stores. */
export type DocumentLabels = {
  name: string | null;
  description: string | null;
  publisher: string | null;
  image: string | null;
  /** First 20 endpoints with an https or http URL. */
  endpoints: EndpointLabel[];
  // These are absent in documents that an earlier version of the worker parsed.
  details?: DetailLabels | null;
  /** Keys by which its addresses are looked up: see `listAddressKeys`. */
  addresses?: string[] | null;
  /** Addresses that *origin* checks: see `listReached`. */
  reached?: string[] | null;
  /** Trait strings at their positions. Invalid entries are empty. */
  traits: string[];
  /** Names of tools, skills and the like. */
  toolNames: string[];
  /** Texts that search reads, such as the description and those of tools, one per line. */
  text: string;
  problems: DocumentProblem[];
};

/** Longest stored description, in UTF-16 code units. The document on the chain is not shortened. */
const MAX_DESCRIPTION = 1000;
const MAX_SEARCH_TEXT = 100_000;
const MAX_NAMES = 1000;
const MAX_ENDPOINTS = 20;
const MAX_TRAIT_STRINGS = 100;

const emptyLabels = (problem: DocumentProblem): DocumentLabels => ({
  name: null,
  description: null,
  publisher: null,
  image: null,
  endpoints: [],
  traits: [],
  toolNames: [],
  text: "",
  problems: [problem],
});

/** Lists the texts of a document that search reads, by their weight, as the metadata schema marks its fields. */
function listSearched(document: Record<string, unknown>): Record<"name" | "text", string[]> {
  const searched = { name: [] as string[], text: [] as string[] };
  const fields = visitFields({ schema: metadataSchema, value: document, path: [] }, "unchecked");
  for (const { schema, value } of fields) {
    const weight = fieldDescriptions.get(schema)?.search;
    if (!weight) continue;
    for (const text of [value].flat()) if (typeof text === "string") searched[weight].push(text);
  }
  return searched;
}

/** Lists the name and URL of every endpoint that has both. */
function endpoints(document: Record<string, unknown>): EndpointLabel[] {
  return getEndpoints(document as Metadata)
    .flatMap(({ name, endpoint, transport, authentication }): EndpointLabel[] => {
      const href = typeof endpoint === "string" ? safeHref(endpoint) : undefined;
      if (typeof name !== "string" || !href || !/^https?:/.test(href)) return [];
      const speaksSse =
        isJsonObject(transport) && isJsonObject(transport.sse) && !isJsonObject(transport.http);
      const credentials = readCredentials(authentication);
      const label = {
        name: toPostgresText(name, MAX_NAME_LENGTH),
        endpoint: toPostgresText(href),
        ...(credentials && { credentials }),
      };
      return [speaksSse ? { ...label, transport: "sse" } : label];
    })
    .slice(0, MAX_ENDPOINTS);
}

/**
 * Parses a metadata JSON into the labels and text that the index stores. Never throws: documents that JCS can't encode
 * have no labels, fields of a wrong type are skipped, and both are listed as problems.
 */
export function parseDocument(bytes: Uint8Array): DocumentLabels {
  let document: unknown;
  try {
    document = parseJsonStrict(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (error) {
    const { pointer = "", reason = "The document is not UTF-8." } =
      error instanceof JsonDocumentError ? error : {};
    return emptyLabels({
      pointer: toPostgresText(pointer, 500),
      code: "not-json",
      message: toPostgresText(reason, 500),
    });
  }
  if (!isJsonObject(document)) {
    return emptyLabels({ pointer: "", code: "not-an-object", message: "The document is not a JSON object." });
  }

  const label = (key: string, max: number): string | null => {
    const value = document[key];
    return typeof value === "string" && value.trim() ? toPostgresText(value.trim(), max) : null;
  };
  const searched = listSearched(document);
  const image = typeof document.image === "string" ? safeHref(document.image) : undefined;
  const parsed = metadataSchema.safeParse(document, { error: describeIssue });
  return {
    name: label("name", MAX_NAME_LENGTH),
    description: label("description", MAX_DESCRIPTION),
    publisher: label("publisher", MAX_NAME_LENGTH),
    image: image === undefined ? null : toPostgresText(image),
    endpoints: endpoints(document),
    details: readDetails(document),
    addresses: listAddressKeys(document),
    reached: listReached(document),
    traits: (Array.isArray(document.traits) ? document.traits : [])
      .slice(0, MAX_TRAIT_STRINGS)
      .map((trait: unknown) => (typeof trait === "string" ? toPostgresText(trait, MAX_NAME_LENGTH) : "")),
    toolNames: searched.name
      .slice(0, MAX_NAMES)
      .map((name) => toPostgresText(name, MAX_NAME_LENGTH))
      .filter((name) => name !== ""),
    text: toPostgresText(searched.text.join("\n"), MAX_SEARCH_TEXT),
    problems: parsed.success
      ? []
      : parsed.error.issues.slice(0, 20).map(({ path, message }) => ({
          pointer: toPostgresText(toJsonPointer(path), MAX_NAME_LENGTH),
          code: "schema",
          message: toPostgresText(message, MAX_NAME_LENGTH),
        })),
  };
}
