import * as z from "zod";
import {
  descriptionSchema,
  endpointUrlSchema,
  listSchema,
  mediaUrlSchema,
  nameSchema,
  objectSchema,
  pageUrlSchema,
  resourceUriSchema,
  stringSchema,
} from "./fieldSchemas.ts";
import { MAX_LIST_LENGTH, MAX_MCP_ENTRIES } from "./limits.ts";

/** Name of the entry by which clients find an MCP server. */
export const MCP_ENDPOINT_NAME = "MCP";

/** Name of the entry of the Contract interface: `endpoint` is an RPC, `schemaUrl` the ABI. */
export const CONTRACT_ENDPOINT_NAME = "Contract";

/** A JSON object that is taken as it is, such as a JSON Schema. */
const anyObjectSchema = objectSchema({});

/** An MCP tool. */
const toolSchema = objectSchema({
  name: nameSchema,
  description: descriptionSchema.optional(),
  inputSchema: anyObjectSchema,
  annotations: anyObjectSchema.optional(),
});

/** An MCP resource. */
const resourceSchema = objectSchema({
  uri: resourceUriSchema,
  name: nameSchema,
  description: descriptionSchema.optional(),
  mimeType: stringSchema.optional(),
  annotations: anyObjectSchema.optional(),
});

/** An MCP prompt. */
const promptSchema = objectSchema({
  name: nameSchema,
  description: descriptionSchema.optional(),
  arguments: listSchema(
    objectSchema({
      name: nameSchema,
      description: descriptionSchema.optional(),
      required: z.boolean({ error: "This is not true or false." }).optional(),
    }),
    MAX_MCP_ENTRIES,
  ).optional(),
});

/** How callers authenticate to an endpoint. */
const authenticationSchema = objectSchema({
  oauth2: objectSchema({
    authorizationUrl: pageUrlSchema,
    tokenUrl: pageUrlSchema,
    scopes: listSchema(stringSchema, MAX_MCP_ENTRIES).optional(),
  }).optional(),
  blockchain: objectSchema({
    chainId: z.union([z.string(), z.number()], { error: "This is not a chain id." }),
    contractAddress: stringSchema,
    requiredNFT: z.unknown().optional(),
  }).optional(),
  methods: listSchema(stringSchema, MAX_LIST_LENGTH).optional(),
  jwksUrl: pageUrlSchema.optional(),
  issuer: stringSchema.optional(),
});

/** How an endpoint is spoken to, for example over HTTP. */
const transportSchema = objectSchema({
  http: objectSchema({ url: endpointUrlSchema.optional(), method: stringSchema.optional() }).optional(),
});

/** An element of `endpoints`. */
export const endpointEntrySchema = objectSchema({
  name: nameSchema,
  // Required by checkPublishable for every entry but Contract, whose RPC is optional.
  endpoint: endpointUrlSchema.optional(),
  schemaUrl: mediaUrlSchema.optional(),
  interfaceVersions: listSchema(stringSchema, MAX_LIST_LENGTH).optional(),
  tools: listSchema(toolSchema, MAX_MCP_ENTRIES).optional(),
  resources: listSchema(resourceSchema, MAX_MCP_ENTRIES).optional(),
  prompts: listSchema(promptSchema, MAX_MCP_ENTRIES).optional(),
  transport: transportSchema.optional(),
  authentication: authenticationSchema.optional(),
});

/** The `endpoint` object of the earlier layout. */
export const singleEndpointSchema = objectSchema({
  url: endpointUrlSchema,
  schemaUrl: mediaUrlSchema.optional(),
});

export type EndpointEntry = z.infer<typeof endpointEntrySchema>;
export type McpTool = z.infer<typeof toolSchema>;
export type McpResource = z.infer<typeof resourceSchema>;
export type McpPrompt = z.infer<typeof promptSchema>;
export type EndpointAuthentication = z.infer<typeof authenticationSchema>;
export type EndpointTransport = z.infer<typeof transportSchema>;
