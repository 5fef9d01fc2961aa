import { type EndpointLabel, isCanonicalDid, isJsonObject } from "@app-registry/sdk";
import { z } from "zod";
import { toPostgresText } from "./keys.ts";

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
