import { apiTypes, endpointName } from "@app-registry/sdk";
import { type FieldSpec, field, machine } from "./screens.ts";

const urlHelp: Record<string, string> = {
  "api:mcp": "The server's URL for streamable HTTP.",
  "api:a2a": "The URL of the agent card, usually https://<domain>/.well-known/agent-card.json.",
};

const schemaHelp: Record<string, string> = {
  "api:rest": "An OpenAPI document. Optional.",
  "api:graphql": "The schema as SDL. Optional.",
};

/** What every endpoint has, with the words of its kind. */
export const endpointFields = (trait: string): FieldSpec[] => [
  field(
    "/name",
    "Endpoint name",
    trait === "api:mcp"
      ? "Clients find an MCP server by the name MCP."
      : "Clients find it among several by this name: the usual one of its kind, or one of your own.",
    { required: true, suggestions: apiTypes.map((type) => endpointName(type.trait)) },
  ),
  machine("/endpoint", "Endpoint URL", "https://api.example.com", urlHelp[trait] ?? "Where calls go.", {
    required: true,
  }),
  machine(
    "/schemaUrl",
    "Schema URL",
    "",
    schemaHelp[trait] ?? "A document that describes the interface. Optional.",
  ),
  field(
    "/interfaceVersions",
    "Interface versions",
    "Versions of the interface that it speaks, not of the service. Optional.",
    { control: "tags", placeholder: "1.0" },
  ),
];

/** How clients reach an endpoint. */
export const transportFields: FieldSpec[] = [
  machine("/http/url", "HTTP transport URL", "", "Usually the endpoint URL itself. Optional."),
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
    machine("/name", "Tool name", "find_trains", undefined, required),
    field("/annotations/title", "Tool title", "Its name for people. Optional."),
    description("Tool"),
    schema(
      "/inputSchema",
      "Input schema",
      'A JSON Schema of the arguments. For a tool without arguments write {"type": "object"}.',
      required,
    ),
    schema("/outputSchema", "Output schema", "A JSON Schema of the result. Optional."),
    hint("readOnlyHint", "Does it change anything?", "It only reads", "It may change things"),
    hint("destructiveHint", "Can it destroy data?", "It may destroy data", "It destroys nothing"),
    hint("idempotentHint", "May a call be repeated?", "Repeating changes nothing more", "Each call counts"),
    hint("openWorldHint", "Does it reach other systems?", "It reaches outside", "It stays inside"),
  ],
});

const resources = field("/resources", "Resources", "What agents can read.", {
  item: "Resource",
  columns: [
    machine("/uri", "Resource URI", "docs://timetable", undefined, required),
    field("/name", "Resource name", undefined, required),
    description("Resource"),
    machine("/mimeType", "MIME type", "text/markdown", "Optional."),
    json("/annotations", "Resource annotations", "Such as audience and priority. Optional.", 2),
  ],
});

const resourceTemplates = field(
  "/resourceTemplates",
  "Resource templates",
  "Resources whose address has a part to fill in.",
  {
    item: "Resource template",
    columns: [
      machine("/uriTemplate", "URI template", "docs://stations/{id}", undefined, required),
      field("/name", "Template name", undefined, required),
      description("Template"),
      machine("/mimeType", "MIME type", "text/markdown", "Optional."),
    ],
  },
);

const prompts = field("/prompts", "Prompts", "Texts that the server prepares.", {
  item: "Prompt",
  columns: [
    machine("/name", "Prompt name", undefined, undefined, required),
    description("Prompt"),
    field("/arguments", "Arguments", undefined, {
      control: "rows",
      item: "Argument",
      columns: [
        machine("/name", "Argument name", undefined, undefined, required),
        description("Argument"),
        field("/required", "This argument is required", undefined, { control: "check" }),
      ],
    }),
  ],
});

const skills = field("/skills", "Skills", "What the agent can do.", {
  item: "Skill",
  columns: [
    machine("/id", "Skill id", "plan-trip", undefined, required),
    field("/name", "Skill name", undefined, required),
    description("Skill"),
    field("/tags", "Skill tags", undefined, { control: "tags", phrases: true }),
    field("/examples", "Example requests", "What a person would ask for.", {
      control: "texts",
      item: "Example request",
    }),
  ],
});

const mcpOffers: readonly FieldSpec[] = [tools, resources, resourceTemplates, prompts];

/** Everything that an endpoint may list: as an MCP server or as an A2A agent. */
export const offers: readonly FieldSpec[] = [...mcpOffers, skills];

/** What an endpoint of an API type usually lists. */
export const offersOf = (trait: string): readonly FieldSpec[] =>
  trait === "api:mcp" ? mcpOffers : trait === "api:a2a" ? [skills] : [];

/** A way to authenticate. */
export interface AuthenticationWay {
  label: string;
  /** Its members of `authentication`. */
  keys: readonly string[];
  fields: readonly FieldSpec[];
}

/** The ways to authenticate that the form knows. An endpoint may take several. */
export const authenticationWays: readonly AuthenticationWay[] = [
  {
    label: "OAuth 2",
    keys: ["oauth2"],
    fields: [
      machine(
        "/oauth2/authorizationUrl",
        "Authorization URL",
        "https://id.example.com/authorize",
        "Where a person agrees.",
        required,
      ),
      machine(
        "/oauth2/tokenUrl",
        "Token URL",
        "https://id.example.com/token",
        "Where a program gets its token.",
        required,
      ),
      field("/oauth2/scopes", "Scopes", "Optional.", { control: "tags", placeholder: "read, write" }),
    ],
  },
  {
    label: "Holding a token on a chain",
    keys: ["blockchain"],
    fields: [
      machine("/blockchain/chainId", "Chain", "eip155:8453", "Choose a chain, or write its CAIP-2 id.", {
        ...required,
        suggestions: "chains",
      }),
      machine(
        "/blockchain/contractAddress",
        "Contract address",
        "0x…",
        "The contract whose token callers hold.",
        required,
      ),
      machine("/blockchain/requiredNFT", "Required NFT", "", "A certain token of that contract. Optional."),
    ],
  },
  {
    label: "Signed requests of agents",
    keys: ["methods", "jwksUrl", "issuer"],
    fields: [
      field("/methods", "Methods", "What the endpoint accepts.", {
        control: "tags",
        placeholder: "jwt",
        suggestions: ["jwt", "mtls", "http-message-signatures"],
      }),
      machine(
        "/jwksUrl",
        "JWKS URL",
        "https://example.com/.well-known/jwks.json",
        "The public keys, as a JWK Set. Optional.",
      ),
      machine("/issuer", "Issuer", "https://id.example.com", "Who signs the tokens. Optional."),
    ],
  },
];
