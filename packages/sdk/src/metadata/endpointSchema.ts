import * as z from "zod/mini";
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

/** Name of the entry that clients use to find an MCP server. */
export const MCP_ENDPOINT_NAME = "MCP";

/** Name of the entry of the Contract interface. Its `endpoint` is an RPC, its `schemaUrl` the ABI. */
export const CONTRACT_ENDPOINT_NAME = "Contract";

/** Any JSON object, such as a JSON Schema. */
const anyObjectSchema = objectSchema({});

/** MCP tool. */
const toolSchema = objectSchema({
  name: nameSchema,
  description: z.optional(descriptionSchema),
  inputSchema: anyObjectSchema,
  annotations: z.optional(anyObjectSchema),
});

/** MCP resource. */
const resourceSchema = objectSchema({
  uri: resourceUriSchema,
  name: nameSchema,
  description: z.optional(descriptionSchema),
  mimeType: z.optional(stringSchema),
  annotations: z.optional(anyObjectSchema),
});

/** MCP prompt. */
const promptSchema = objectSchema({
  name: nameSchema,
  description: z.optional(descriptionSchema),
  arguments: z.optional(
    listSchema(
      objectSchema({
        name: nameSchema,
        description: z.optional(descriptionSchema),
        required: z.optional(z.boolean({ error: "This must be true or false." })),
      }),
      MAX_MCP_ENTRIES,
    ),
  ),
});

/** Authentication of an endpoint. */
const authenticationSchema = objectSchema({
  oauth2: z.optional(
    objectSchema({
      authorizationUrl: pageUrlSchema,
      tokenUrl: pageUrlSchema,
      scopes: z.optional(listSchema(stringSchema, MAX_MCP_ENTRIES)),
    }),
  ),
  blockchain: z.optional(
    objectSchema({
      chainId: z.union([z.string(), z.number()], { error: "This must be a chain id." }),
      contractAddress: stringSchema,
      requiredNFT: z.optional(z.unknown()),
    }),
  ),
  methods: z.optional(listSchema(stringSchema, MAX_LIST_LENGTH)),
  jwksUrl: z.optional(pageUrlSchema),
  issuer: z.optional(stringSchema),
});

/** Transport of an endpoint, for example HTTP. */
const transportSchema = objectSchema({
  http: z.optional(objectSchema({ url: z.optional(endpointUrlSchema), method: z.optional(stringSchema) })),
});

/** Element of `endpoints`. */
export const endpointEntrySchema = objectSchema({
  name: nameSchema,
  // Optional here, because the RPC of a Contract entry is optional. checkPublishable requires it for all others.
  endpoint: z.optional(endpointUrlSchema),
  schemaUrl: z.optional(mediaUrlSchema),
  interfaceVersions: z.optional(listSchema(stringSchema, MAX_LIST_LENGTH)),
  tools: z.optional(listSchema(toolSchema, MAX_MCP_ENTRIES)),
  resources: z.optional(listSchema(resourceSchema, MAX_MCP_ENTRIES)),
  prompts: z.optional(listSchema(promptSchema, MAX_MCP_ENTRIES)),
  transport: z.optional(transportSchema),
  authentication: z.optional(authenticationSchema),
});

/** The `endpoint` object of the earlier layout. */
export const singleEndpointSchema = objectSchema({
  url: endpointUrlSchema,
  schemaUrl: z.optional(mediaUrlSchema),
});

export type EndpointEntry = z.infer<typeof endpointEntrySchema>;
export type McpTool = z.infer<typeof toolSchema>;
export type McpResource = z.infer<typeof resourceSchema>;
export type McpPrompt = z.infer<typeof promptSchema>;
export type EndpointAuthentication = z.infer<typeof authenticationSchema>;
export type EndpointTransport = z.infer<typeof transportSchema>;
