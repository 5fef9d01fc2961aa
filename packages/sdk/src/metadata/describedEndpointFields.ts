import { Interfaces } from "../recordEnums.ts";
import { apiTypes } from "../traits.ts";
import {
  apiKeySchema,
  authenticationSchema,
  bearerSchema,
  endpointEntrySchema,
  httpSchema,
  oauth2Schema,
  promptArgumentSchema,
  promptSchema,
  resourceSchema,
  resourceTemplateSchema,
  singleEndpointSchema,
  skillSchema,
  tokenOwnershipSchema,
  toolSchema,
  transportSchema,
} from "./endpointSchema.ts";
import { describe, type FieldDescription, field } from "./fieldDescription.ts";
import { endpointName } from "./getEndpoints.ts";

const hint = (label: string, whenTrue: string, whenFalse: string): FieldDescription => ({
  label,
  control: "answer",
  answers: [whenTrue, whenFalse],
});

const toolAnnotations = toolSchema.shape.annotations._zod.def.innerType;

const mimeType = field("MIME type", "Optional.", { mono: true, placeholder: "text/markdown" });
const agentRequests = { title: "Signed agent requests", help: "" };

/** Descriptions of the fields of an endpoint, with their schemas. */
export const endpointFields = [
  ...describe(singleEndpointSchema, { url: field("Endpoint URL"), schemaUrl: field("Schema URL") }),
  ...describe(endpointEntrySchema, {
    name: field(
      "Endpoint name",
      "Clients use this name to tell your endpoints apart. Use the usual name for its type, or choose your own.",
      {
        meaning: "`MCP` for an MCP server, `Contract` for a contract's RPC and ABI, else free.",
        suggestions: apiTypes.map((type) => endpointName(type.trait)),
        helpByType: { "api:mcp": "Must be MCP. Clients look for this name." },
      },
    ),
    endpoint: field("Endpoint URL", "The URL that clients call.", {
      meaning: "URL of the endpoint; may be left out only in `Contract`.",
      requiredFor: Interfaces.Api,
      placeholder: "https://api.example.com",
      helpByType: {
        "api:mcp": "The URL of the server's Streamable HTTP endpoint.",
        "api:a2a": "The URL of the agent card, usually https://<domain>/.well-known/agent-card.json.",
      },
    }),
    schemaUrl: field("Schema URL", "A machine-readable description of the interface. Optional.", {
      meaning: "OpenAPI document, GraphQL SDL, ABI, …",
      helpByType: {
        "api:rest": "An OpenAPI document. Optional.",
        "api:graphql": "The schema as SDL. Optional.",
      },
    }),
    interfaceVersions: field(
      "Interface versions",
      "Protocol or API versions this endpoint supports. Not the version of your service. Optional.",
      { placeholder: "1.0" },
    ),
    instructions: field("Instructions", "What the server tells agents about how to use it. Optional.", {
      offeredBy: "api:mcp",
      lines: 3,
    }),
    tools: field("Tools", "What agents can call.", { offeredBy: "api:mcp", item: "Tool" }),
    resources: field("Resources", "What agents can read.", { offeredBy: "api:mcp", item: "Resource" }),
    resourceTemplates: field("Resource templates", "Resources whose URI contains variables.", {
      offeredBy: "api:mcp",
      item: "Resource template",
    }),
    prompts: field("Prompts", "Ready-made prompts that the server provides.", {
      offeredBy: "api:mcp",
      item: "Prompt",
    }),
    skills: field("Skills", "What the agent can do.", { offeredBy: "api:a2a", item: "Skill" }),
    transport: field("Transport", undefined, { meaning: "How to call the endpoint.", control: "custom" }),
    supportedInterfaces: { meaning: "Interfaces of an A2A agent." },
    defaultInputModes: { meaning: "Media types that an A2A agent accepts." },
    defaultOutputModes: { meaning: "Media types that an A2A agent returns." },
    capabilities: { meaning: "Capabilities of an A2A agent, with its protocol extensions." },
    pricing: { meaning: "Prices, as the agent card states them." },
    authentication: field("Authentication", undefined, {
      meaning: "How callers authenticate.",
      control: "custom",
    }),
  }),
  ...describe(toolSchema, {
    name: field("Tool name", undefined, { mono: true, placeholder: "find_trains", search: "name" }),
    description: field("Tool description", undefined, { lines: 2, search: "text" }),
    inputSchema: field(
      "Input schema",
      'A JSON Schema for the arguments. If the tool takes none, enter {"type": "object"}.',
      { control: "schema", lines: 4 },
    ),
    outputSchema: field("Output schema", "A JSON Schema for the result. Optional.", {
      control: "schema",
      lines: 4,
    }),
    annotations: {},
  }),
  ...describe(toolAnnotations, {
    title: field("Tool title", "A readable name. Optional.", { after: "/name" }),
    readOnlyHint: hint("Does the tool change data?", "No, read-only", "Yes, it may"),
    destructiveHint: hint("Can the tool delete or overwrite data?", "Yes, it may", "No"),
    idempotentHint: hint(
      "Is it safe to repeat a call?",
      "Yes, repeating has no further effect",
      "No, each call has an effect",
    ),
    openWorldHint: hint("Does the tool contact other systems?", "Yes", "No"),
  }),
  ...describe(resourceSchema, {
    uri: field("Resource URI", undefined, {
      meaning: "Any scheme except `javascript:`, `vbscript:` and `data:`.",
      mono: true,
      placeholder: "docs://timetable",
    }),
    name: field("Resource name", undefined, { search: "name" }),
    description: field("Resource description", undefined, { lines: 2, search: "text" }),
    mimeType,
    annotations: field("Resource annotations", "Such as audience and priority. Optional.", {
      control: "json",
      lines: 2,
    }),
  }),
  ...describe(resourceTemplateSchema, {
    uriTemplate: field("URI template", undefined, { mono: true, placeholder: "docs://stations/{id}" }),
    name: field("Template name", undefined, { search: "name" }),
    description: field("Template description", undefined, { lines: 2, search: "text" }),
    mimeType,
  }),
  ...describe(promptSchema, {
    name: field("Prompt name", undefined, { mono: true, search: "name" }),
    description: field("Prompt description", undefined, { lines: 2, search: "text" }),
    arguments: field("Arguments", undefined, { item: "Argument" }),
  }),
  ...describe(promptArgumentSchema, {
    name: field("Argument name", undefined, { mono: true }),
    description: field("Argument description", undefined, { lines: 2 }),
    required: field("This argument is required"),
  }),
  ...describe(skillSchema, {
    id: field("Skill id", undefined, { requiredFor: Interfaces.Api, mono: true, placeholder: "plan-trip" }),
    name: field("Skill name", undefined, { search: "name" }),
    description: field("Skill description", undefined, { lines: 2, search: "text" }),
    tags: field("Skill tags", undefined, { phrases: true, search: "name" }),
    examples: field("Example requests", "Requests a person might make.", {
      control: "texts",
      item: "Example request",
      search: "text",
    }),
  }),
  ...describe(transportSchema, { http: {} }),
  ...describe(httpSchema, {
    url: field("HTTP transport URL", "Usually the same as the endpoint URL. Optional."),
    method: field("HTTP method", "Optional.", {
      mono: true,
      placeholder: "POST",
      suggestions: ["POST", "GET"],
    }),
  }),
  ...describe(authenticationSchema, {
    oauth2: field("OAuth 2"),
    apiKey: field("API key"),
    bearer: field("Bearer token"),
    blockchain: field("Token ownership"),
    methods: field("Methods", "The methods this endpoint accepts.", {
      group: agentRequests,
      placeholder: "jwt",
      suggestions: ["jwt", "mtls", "http-message-signatures"],
    }),
    jwksUrl: field("JWKS URL", "URL of the public keys (JWK Set). Optional.", {
      group: agentRequests,
      placeholder: "https://example.com/.well-known/jwks.json",
    }),
    issuer: field("Issuer", "Who signs the tokens. Optional.", {
      group: agentRequests,
      mono: true,
      placeholder: "https://id.example.com",
    }),
  }),
  ...describe(oauth2Schema, {
    authorizationUrl: field("Authorization URL", "Where users sign in and grant access.", {
      placeholder: "https://id.example.com/authorize",
    }),
    tokenUrl: field("Token URL", "Where clients get an access token.", {
      placeholder: "https://id.example.com/token",
    }),
    scopes: field("Scopes", "Optional.", { placeholder: "read, write" }),
  }),
  ...describe(apiKeySchema, {
    in: field("Key location", "The part of the request that contains the key.", {
      mono: true,
      placeholder: "header",
      suggestions: apiKeySchema.shape.in.options,
    }),
    name: field("Key name", "The name of the header, query parameter or cookie, not the key itself.", {
      mono: true,
      placeholder: "X-API-Key",
    }),
    description: field("How to get a key", "Where callers get a key. Never enter the key itself. Optional."),
  }),
  ...describe(bearerSchema, {
    format: field("Token format", "Optional.", {
      mono: true,
      placeholder: "JWT",
      suggestions: ["JWT", "opaque"],
    }),
    description: field(
      "How to get a token",
      "Where callers get a token. Never enter the token itself. Optional.",
    ),
  }),
  ...describe(tokenOwnershipSchema, {
    chainId: field("Chain", "Choose a chain, or enter its CAIP-2 id.", {
      mono: true,
      placeholder: "eip155:8453",
      suggestions: "chains",
    }),
    contractAddress: field("Contract address", "Callers must hold a token of this contract.", {
      mono: true,
      placeholder: "0x…",
    }),
    requiredNFT: field("Required NFT", "Require one specific token of that contract. Optional.", {
      mono: true,
    }),
  }),
];
