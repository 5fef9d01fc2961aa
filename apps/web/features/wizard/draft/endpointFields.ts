import { apiTypes, endpointName } from "@app-registry/sdk";
import { type FieldSpec, field, machineField } from "./screens.ts";

const urlHelp: Record<string, string> = {
  "api:mcp": "The server's URL for streamable HTTP.",
  "api:a2a": "The URL of the agent card, usually https://<domain>/.well-known/agent-card.json.",
};

const schemaHelp: Record<string, string> = {
  "api:rest": "An OpenAPI document. Optional.",
  "api:graphql": "The schema as SDL. Optional.",
};

/** Returns the fields that every endpoint has, with help for its API type. */
export const endpointFields = (trait: string): FieldSpec[] => [
  field(
    "/name",
    "Endpoint name",
    trait === "api:mcp"
      ? "Must be MCP. Clients look for this name."
      : "Clients use this name to tell your endpoints apart. Use the usual name for its type, or choose your own.",
    { required: true, suggestions: apiTypes.map((type) => endpointName(type.trait)) },
  ),
  machineField(
    "/endpoint",
    "Endpoint URL",
    "https://api.example.com",
    urlHelp[trait] ?? "The URL that clients call.",
    {
      required: true,
    },
  ),
  machineField(
    "/schemaUrl",
    "Schema URL",
    "",
    schemaHelp[trait] ?? "A machine-readable description of the interface. Optional.",
  ),
  field(
    "/interfaceVersions",
    "Interface versions",
    "Protocol or API versions this endpoint supports. Not the version of your service. Optional.",
    { control: "tags", placeholder: "1.0" },
  ),
];

/** Fields for the transport of an endpoint. */
export const transportFields: FieldSpec[] = [
  machineField("/http/url", "HTTP transport URL", "", "Usually the same as the endpoint URL. Optional."),
  field("/http/method", "HTTP method", "Optional.", {
    mono: true,
    placeholder: "POST",
    suggestions: ["POST", "GET"],
  }),
];

const required = { required: true };
const description = (of: string) => field("/description", `${of} description`, undefined, { lines: 2 });
const json = (at: string, label: string, help: string, lines = 4) =>
  field(at, label, help, { control: "json", lines });
const schema = (at: string, label: string, help: string, more = {}) =>
  field(at, label, help, { control: "schema", lines: 4, ...more });
const hint = (at: string, label: string, whenTrue: string, whenFalse: string) =>
  field(`/annotations/${at}`, label, undefined, { control: "answer", answers: [whenTrue, whenFalse] });

const tools = field("/tools", "Tools", "What agents can call.", {
  item: "Tool",
  columns: [
    machineField("/name", "Tool name", "find_trains", undefined, required),
    field("/annotations/title", "Tool title", "A readable name. Optional."),
    description("Tool"),
    schema(
      "/inputSchema",
      "Input schema",
      'A JSON Schema for the arguments. If the tool takes none, enter {"type": "object"}.',
      required,
    ),
    schema("/outputSchema", "Output schema", "A JSON Schema for the result. Optional."),
    hint("readOnlyHint", "Does the tool change data?", "No, read-only", "Yes, it may"),
    hint("destructiveHint", "Can the tool delete or overwrite data?", "Yes, it may", "No"),
    hint(
      "idempotentHint",
      "Is it safe to repeat a call?",
      "Yes, repeating has no further effect",
      "No, each call has an effect",
    ),
    hint("openWorldHint", "Does the tool contact other systems?", "Yes", "No"),
  ],
});

const resources = field("/resources", "Resources", "What agents can read.", {
  item: "Resource",
  columns: [
    machineField("/uri", "Resource URI", "docs://timetable", undefined, required),
    field("/name", "Resource name", undefined, required),
    description("Resource"),
    machineField("/mimeType", "MIME type", "text/markdown", "Optional."),
    json("/annotations", "Resource annotations", "Such as audience and priority. Optional.", 2),
  ],
});

const resourceTemplates = field(
  "/resourceTemplates",
  "Resource templates",
  "Resources whose URI contains variables.",
  {
    item: "Resource template",
    columns: [
      machineField("/uriTemplate", "URI template", "docs://stations/{id}", undefined, required),
      field("/name", "Template name", undefined, required),
      description("Template"),
      machineField("/mimeType", "MIME type", "text/markdown", "Optional."),
    ],
  },
);

const prompts = field("/prompts", "Prompts", "Ready-made prompts that the server provides.", {
  item: "Prompt",
  columns: [
    machineField("/name", "Prompt name", undefined, undefined, required),
    description("Prompt"),
    field("/arguments", "Arguments", undefined, {
      control: "rows",
      item: "Argument",
      columns: [
        machineField("/name", "Argument name", undefined, undefined, required),
        description("Argument"),
        field("/required", "This argument is required", undefined, { control: "check" }),
      ],
    }),
  ],
});

const skills = field("/skills", "Skills", "What the agent can do.", {
  item: "Skill",
  columns: [
    machineField("/id", "Skill id", "plan-trip", undefined, required),
    field("/name", "Skill name", undefined, required),
    description("Skill"),
    field("/tags", "Skill tags", undefined, { control: "tags", phrases: true }),
    field("/examples", "Example requests", "Requests a person might make.", {
      control: "texts",
      item: "Example request",
    }),
  ],
});

const mcpOffers: readonly FieldSpec[] = [tools, resources, resourceTemplates, prompts];

/** All capabilities that an endpoint may list, as an MCP server or as an A2A agent. */
export const capabilityFields: readonly FieldSpec[] = [...mcpOffers, skills];

/** Returns the capabilities that an endpoint of an API type usually lists. */
export const getCapabilityFields = (trait: string): readonly FieldSpec[] =>
  trait === "api:mcp" ? mcpOffers : trait === "api:a2a" ? [skills] : [];

/** Authentication method. */
export interface AuthenticationWay {
  label: string;
  /** Members of `authentication` that belong to the method. */
  keys: readonly string[];
  fields: readonly FieldSpec[];
}

/** Authentication methods that the form supports. An endpoint may accept several. */
export const authenticationWays: readonly AuthenticationWay[] = [
  {
    label: "OAuth 2",
    keys: ["oauth2"],
    fields: [
      machineField(
        "/oauth2/authorizationUrl",
        "Authorization URL",
        "https://id.example.com/authorize",
        "Where users sign in and grant access.",
        required,
      ),
      machineField(
        "/oauth2/tokenUrl",
        "Token URL",
        "https://id.example.com/token",
        "Where clients get an access token.",
        required,
      ),
      field("/oauth2/scopes", "Scopes", "Optional.", { control: "tags", placeholder: "read, write" }),
    ],
  },
  {
    label: "Token ownership",
    keys: ["blockchain"],
    fields: [
      machineField("/blockchain/chainId", "Chain", "eip155:8453", "Choose a chain, or enter its CAIP-2 id.", {
        ...required,
        suggestions: "chains",
      }),
      machineField(
        "/blockchain/contractAddress",
        "Contract address",
        "0x…",
        "Callers must hold a token of this contract.",
        required,
      ),
      machineField(
        "/blockchain/requiredNFT",
        "Required NFT",
        "",
        "Require one specific token of that contract. Optional.",
      ),
    ],
  },
  {
    label: "Signed agent requests",
    keys: ["methods", "jwksUrl", "issuer"],
    fields: [
      field("/methods", "Methods", "The methods this endpoint accepts.", {
        control: "tags",
        placeholder: "jwt",
        suggestions: ["jwt", "mtls", "http-message-signatures"],
      }),
      machineField(
        "/jwksUrl",
        "JWKS URL",
        "https://example.com/.well-known/jwks.json",
        "URL of the public keys (JWK Set). Optional.",
      ),
      machineField("/issuer", "Issuer", "https://id.example.com", "Who signs the tokens. Optional."),
    ],
  },
];
