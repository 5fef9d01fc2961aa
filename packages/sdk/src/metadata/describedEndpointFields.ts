import { Interfaces } from "../interfaces.ts";
import { apiTypes } from "../traits.ts";
import { endpointName } from "./endpointName.ts";
import {
  authenticationSchema,
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

const hint = (label: string, whenTrue: string, whenFalse: string): FieldDescription => ({
  label,
  control: "answer",
  answers: [whenTrue, whenFalse],
});

const toolAnnotations = toolSchema.shape.annotations._zod.def.innerType;

const mimeType: FieldDescription = {
  label: "MIME type",
  mono: true,
  placeholder: "text/markdown",
  help: "Optional.",
};

const agentRequests = { title: "Signed agent requests", help: "" };

/** Descriptions of the fields of an endpoint, with their schemas. */
export const endpointFields = [
  ...describe(singleEndpointSchema, { url: field("Endpoint URL"), schemaUrl: field("Schema URL") }),

  ...describe(endpointEntrySchema, {
    name: field("Endpoint name", {
      meaning: "`MCP` for an MCP server, `Contract` for a contract's RPC and ABI, else free",
      suggestions: apiTypes.map((type) => endpointName(type.trait)),
      help: "Clients use this name to tell your endpoints apart. Use the usual name for its type, or choose your own.",
      helpByType: { "api:mcp": "Must be MCP. Clients look for this name." },
    }),
    endpoint: field("Endpoint URL", {
      meaning: "URL of the endpoint; may be left out only in `Contract`",
      requiredFor: Interfaces.Api,
      placeholder: "https://api.example.com",
      help: "The URL that clients call.",
      helpByType: {
        "api:mcp": "The server's URL for streamable HTTP.",
        "api:a2a": "The URL of the agent card, usually https://<domain>/.well-known/agent-card.json.",
      },
    }),
    schemaUrl: field("Schema URL", {
      meaning: "OpenAPI document, GraphQL SDL, ABI, …",
      help: "A machine-readable description of the interface. Optional.",
      helpByType: {
        "api:rest": "An OpenAPI document. Optional.",
        "api:graphql": "The schema as SDL. Optional.",
      },
    }),
    interfaceVersions: field("Interface versions", {
      meaning: "versions of the interface",
      placeholder: "1.0",
      help: "Protocol or API versions this endpoint supports. Not the version of your service. Optional.",
    }),
    instructions: field("Instructions", {
      meaning: "what an MCP server tells agents about its use",
      offeredBy: "api:mcp",
      help: "What the server tells agents about how to use it. Optional.",
      lines: 3,
    }),
    tools: field("Tools", {
      meaning: "MCP tools",
      offeredBy: "api:mcp",
      help: "What agents can call.",
      item: "Tool",
    }),
    resources: field("Resources", {
      meaning: "MCP resources",
      offeredBy: "api:mcp",
      help: "What agents can read.",
      item: "Resource",
    }),
    resourceTemplates: field("Resource templates", {
      meaning: "MCP resource templates",
      offeredBy: "api:mcp",
      help: "Resources whose URI contains variables.",
      item: "Resource template",
    }),
    prompts: field("Prompts", {
      meaning: "MCP prompts",
      offeredBy: "api:mcp",
      help: "Ready-made prompts that the server provides.",
      item: "Prompt",
    }),
    skills: field("Skills", {
      meaning: "skills of an A2A agent",
      offeredBy: "api:a2a",
      help: "What the agent can do.",
      item: "Skill",
    }),
    transport: field("Transport", { meaning: "how to call the endpoint", control: "custom" }),
    supportedInterfaces: { meaning: "interfaces of an A2A agent" },
    authentication: field("Authentication", { meaning: "how callers authenticate", control: "custom" }),
  }),

  ...describe(toolSchema, {
    name: field("Tool name", { mono: true, placeholder: "find_trains" }),
    description: field("Tool description", { lines: 2 }),
    inputSchema: field("Input schema", {
      meaning: "JSON Schema",
      control: "schema",
      lines: 4,
      help: 'A JSON Schema for the arguments. If the tool takes none, enter {"type": "object"}.',
    }),
    outputSchema: field("Output schema", {
      meaning: "JSON Schema",
      control: "schema",
      lines: 4,
      help: "A JSON Schema for the result. Optional.",
    }),
    annotations: {},
  }),

  ...describe(toolAnnotations, {
    title: field("Tool title", { after: "/name", help: "A readable name. Optional." }),
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
    uri: field("Resource URI", {
      meaning: "any scheme except `javascript:`, `vbscript:` and `data:`",
      mono: true,
      placeholder: "docs://timetable",
    }),
    name: field("Resource name"),
    description: field("Resource description", { lines: 2 }),
    mimeType,
    annotations: field("Resource annotations", {
      control: "json",
      lines: 2,
      help: "Such as audience and priority. Optional.",
    }),
  }),

  ...describe(resourceTemplateSchema, {
    uriTemplate: field("URI template", { mono: true, placeholder: "docs://stations/{id}" }),
    name: field("Template name"),
    description: field("Template description", { lines: 2 }),
    mimeType,
  }),

  ...describe(promptSchema, {
    name: field("Prompt name", { mono: true }),
    description: field("Prompt description", { lines: 2 }),
    arguments: field("Arguments", { item: "Argument" }),
  }),

  ...describe(promptArgumentSchema, {
    name: field("Argument name", { mono: true }),
    description: field("Argument description", { lines: 2 }),
    required: field("This argument is required"),
  }),

  ...describe(skillSchema, {
    id: field("Skill id", { requiredFor: Interfaces.Api, mono: true, placeholder: "plan-trip" }),
    name: field("Skill name"),
    description: field("Skill description", { lines: 2 }),
    tags: field("Skill tags", { phrases: true }),
    examples: field("Example requests", {
      control: "texts",
      item: "Example request",
      help: "Requests a person might make.",
    }),
  }),

  ...describe(transportSchema, { http: {} }),
  ...describe(httpSchema, {
    url: field("HTTP transport URL", { help: "Usually the same as the endpoint URL. Optional." }),
    method: field("HTTP method", {
      mono: true,
      placeholder: "POST",
      suggestions: ["POST", "GET"],
      help: "Optional.",
    }),
  }),

  ...describe(authenticationSchema, {
    oauth2: field("OAuth 2"),
    blockchain: field("Token ownership"),
    methods: field("Methods", {
      meaning: "of an agent",
      group: agentRequests,
      placeholder: "jwt",
      suggestions: ["jwt", "mtls", "http-message-signatures"],
      help: "The methods this endpoint accepts.",
    }),
    jwksUrl: field("JWKS URL", {
      meaning: "of an agent",
      group: agentRequests,
      placeholder: "https://example.com/.well-known/jwks.json",
      help: "URL of the public keys (JWK Set). Optional.",
    }),
    issuer: field("Issuer", {
      meaning: "of an agent",
      group: agentRequests,
      mono: true,
      placeholder: "https://id.example.com",
      help: "Who signs the tokens. Optional.",
    }),
  }),

  ...describe(oauth2Schema, {
    authorizationUrl: field("Authorization URL", {
      placeholder: "https://id.example.com/authorize",
      help: "Where users sign in and grant access.",
    }),
    tokenUrl: field("Token URL", {
      placeholder: "https://id.example.com/token",
      help: "Where clients get an access token.",
    }),
    scopes: field("Scopes", { placeholder: "read, write", help: "Optional." }),
  }),

  ...describe(tokenOwnershipSchema, {
    chainId: field("Chain", {
      mono: true,
      placeholder: "eip155:8453",
      suggestions: "chains",
      help: "Choose a chain, or enter its CAIP-2 id.",
    }),
    contractAddress: field("Contract address", {
      mono: true,
      placeholder: "0x…",
      help: "Callers must hold a token of this contract.",
    }),
    requiredNFT: field("Required NFT", {
      mono: true,
      help: "Require one specific token of that contract. Optional.",
    }),
  }),
];
