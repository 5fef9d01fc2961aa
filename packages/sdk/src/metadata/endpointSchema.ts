import * as z from "zod/mini";
import { stringSchema } from "../schemas.ts";
import {
  addressSchema,
  descriptionSchema,
  endpointUrlSchema,
  listSchema,
  mediaUrlSchema,
  nameSchema,
  objectSchema,
  pageUrlSchema,
  resourceUriSchema,
  uncheckedSchema,
} from "./fieldSchemas.ts";
import { MAX_LIST_LENGTH, MAX_MCP_ENTRIES } from "./limits.ts";

/** Name of the entry that clients use to find an MCP server. */
export const MCP_ENDPOINT_NAME = "MCP";

/** Name of the entry of the Contract interface. Its `endpoint` is an RPC, its `schemaUrl` the ABI. */
export const CONTRACT_ENDPOINT_NAME = "Contract";

// Each field has a schema of its own, because descriptions and uses belong to the schema of a field.
const booleanSchema = z.boolean({ error: "This must be true or false." });
const optionalText = () => z.optional(stringSchema);
const optionalDescription = () => z.optional(descriptionSchema);
const uncheckedText = () => z.optional(uncheckedSchema(stringSchema));
const hint = () => z.optional(uncheckedSchema(booleanSchema));

/** MCP tool. */
export const toolSchema = objectSchema({
  name: nameSchema.clone(),
  description: optionalDescription(),
  inputSchema: objectSchema({}),
  outputSchema: z.optional(uncheckedSchema(objectSchema({}))),
  annotations: z.optional(
    objectSchema({
      title: uncheckedText(),
      readOnlyHint: hint(),
      destructiveHint: hint(),
      idempotentHint: hint(),
      openWorldHint: hint(),
    }),
  ),
});

/** MCP resource. */
export const resourceSchema = objectSchema({
  uri: resourceUriSchema,
  name: nameSchema.clone(),
  description: optionalDescription(),
  mimeType: optionalText(),
  annotations: z.optional(objectSchema({})),
});

export const resourceTemplateSchema = objectSchema({
  uriTemplate: stringSchema.clone(),
  name: nameSchema.clone(),
  description: optionalDescription(),
  mimeType: optionalText(),
});

export const promptArgumentSchema = objectSchema({
  name: nameSchema.clone(),
  description: optionalDescription(),
  required: z.optional(booleanSchema),
});

/** MCP prompt. */
export const promptSchema = objectSchema({
  name: nameSchema.clone(),
  description: optionalDescription(),
  arguments: z.optional(listSchema(promptArgumentSchema, MAX_MCP_ENTRIES)),
});

/** Skill of an A2A agent. Pages show a skill without an id too. */
export const skillSchema = objectSchema({
  id: optionalText(),
  name: nameSchema.clone(),
  description: optionalDescription(),
  tags: z.optional(listSchema(stringSchema, MAX_LIST_LENGTH)),
  examples: z.optional(listSchema(stringSchema, MAX_LIST_LENGTH)),
});

export const oauth2Schema = objectSchema({
  authorizationUrl: addressSchema("authorization", pageUrlSchema),
  tokenUrl: addressSchema("token", pageUrlSchema),
  scopes: z.optional(listSchema(stringSchema, MAX_MCP_ENTRIES)),
});

export const tokenOwnershipSchema = objectSchema({
  // The JSON Schema of types without examples would be a list of types, which ajv's strict mode refuses.
  chainId: z.union([z.string().check(z.meta({ examples: ["1"] })), z.number()], {
    error: "This must be a chain id.",
  }),
  contractAddress: stringSchema.clone(),
  requiredNFT: z.optional(z.unknown()),
});

/** API key that callers send with each request. */
export const apiKeySchema = objectSchema({
  in: z.enum(["header", "query", "cookie"], { error: "This must be header, query or cookie." }),
  name: nameSchema.clone(),
  description: optionalDescription(),
});

/** Bearer token (RFC 6750) that callers get in another way than by OAuth 2. */
export const bearerSchema = objectSchema({
  format: optionalText(),
  description: optionalDescription(),
});

export const authenticationSchema = objectSchema({
  oauth2: z.optional(oauth2Schema),
  apiKey: z.optional(apiKeySchema),
  bearer: z.optional(bearerSchema),
  blockchain: z.optional(tokenOwnershipSchema),
  methods: z.optional(listSchema(stringSchema, MAX_LIST_LENGTH)),
  jwksUrl: addressSchema("jwks", z.optional(pageUrlSchema)),
  issuer: optionalText(),
});

export const httpSchema = objectSchema({
  url: addressSchema("endpoint", z.optional(endpointUrlSchema)),
  method: optionalText(),
});

/** Object with the address of another transport, or of another interface of an agent. */
const addressedSchema = objectSchema({ url: addressSchema("endpoint", z.optional(endpointUrlSchema)) });

/** Transport of an endpoint, for example HTTP. */
export const transportSchema = z.catchall(
  objectSchema({ http: z.optional(httpSchema) }),
  uncheckedSchema(addressedSchema),
);

/** Element of `endpoints`. */
export const endpointEntrySchema = objectSchema({
  name: nameSchema.clone(),
  // Optional here, because the RPC of a Contract entry is optional. checkPublishable requires it for all others.
  endpoint: addressSchema("endpoint", z.optional(endpointUrlSchema)),
  schemaUrl: addressSchema("schema", z.optional(mediaUrlSchema)),
  interfaceVersions: z.optional(listSchema(stringSchema, MAX_LIST_LENGTH)),
  instructions: uncheckedText(),
  tools: z.optional(listSchema(toolSchema, MAX_MCP_ENTRIES)),
  resources: z.optional(listSchema(resourceSchema, MAX_MCP_ENTRIES)),
  resourceTemplates: z.optional(uncheckedSchema(listSchema(resourceTemplateSchema, MAX_MCP_ENTRIES))),
  prompts: z.optional(listSchema(promptSchema, MAX_MCP_ENTRIES)),
  skills: z.optional(uncheckedSchema(listSchema(skillSchema, MAX_MCP_ENTRIES))),
  transport: z.optional(transportSchema),
  supportedInterfaces: z.optional(uncheckedSchema(listSchema(addressedSchema, MAX_LIST_LENGTH))),
  defaultInputModes: z.optional(uncheckedSchema(listSchema(stringSchema, MAX_LIST_LENGTH))),
  defaultOutputModes: z.optional(uncheckedSchema(listSchema(stringSchema, MAX_LIST_LENGTH))),
  capabilities: z.optional(z.unknown()),
  pricing: z.optional(z.unknown()),
  authentication: z.optional(authenticationSchema),
});

/** The `endpoint` object of the earlier layout. Verifiers read its addresses as those of an element of `endpoints`. */
export const singleEndpointSchema = objectSchema({
  url: endpointUrlSchema.clone(),
  schemaUrl: z.optional(mediaUrlSchema),
});

export type EndpointEntry = z.infer<typeof endpointEntrySchema>;
export type McpTool = z.infer<typeof toolSchema>;
export type McpResource = z.infer<typeof resourceSchema>;
export type McpPrompt = z.infer<typeof promptSchema>;
