import { Interfaces, type Metadata } from "@app-registry/sdk";

/** A sample service; its DID is `did:web:<the stack's host>:<path>`. */
export interface Sample {
  path: string;
  interfaces: number;
  metadata: Metadata;
}

const web = (path: string) => `https://${path}.example`;

/** The hosts of the samples are names that never exist (RFC 2606), so nobody need ask them daily. */
const probe = false;

function human(path: string, name: string, description: string, traits: string[]): Sample {
  return {
    path,
    interfaces: Interfaces.Human,
    metadata: {
      name,
      description,
      probe,
      publisher: `${name} team`,
      image: `${web(path)}/icon.png`,
      external_url: web(path),
      supportUrl: `${web(path)}/support`,
      screenshotUrls: [`${web(path)}/screenshots/1.png`, `${web(path)}/screenshots/2.png`],
      platforms: { web: { launchUrl: `${web(path)}/app` } },
      traits,
    },
  };
}

function api(
  path: string,
  name: string,
  description: string,
  type: string,
  traits: string[],
  endpoint: object = {},
): Sample {
  return {
    path,
    interfaces: Interfaces.Api,
    metadata: {
      name,
      description,
      probe,
      publisher: `${name} team`,
      external_url: web(path),
      endpoints: [
        {
          name: type.toUpperCase(),
          endpoint: `${web(path)}/${type}`,
          interfaceVersions: ["1.0"],
          ...endpoint,
        },
      ],
      traits: [`api:${type}`, ...traits],
    },
  };
}

/** A tool of an MCP server with string parameters, all of them required. */
function tool(name: string, description: string, ...parameters: string[]) {
  const properties = Object.fromEntries(parameters.map((parameter) => [parameter, { type: "string" }]));
  return { name, description, inputSchema: { type: "object", properties, required: parameters } };
}

export const samples: Sample[] = [
  human("ledger", "Paper Ledger", "Double-entry bookkeeping for small shops, in the browser.", [
    "finance",
    "productivity",
  ]),
  human("atlas", "Walking Atlas", "Maps for walkers with every public footpath and its condition.", [
    "maps",
    "outdoor",
  ]),
  human("chorus", "Chorus", "Rehearsal recordings and sheet music for choirs.", ["music"]),
  api(
    "weather",
    "Harbour Weather",
    "Forecasts and tide tables for 1,200 harbours.",
    "rest",
    ["weather", "pay:x402"],
    {
      schemaUrl: `${web("weather")}/openapi.json`,
    },
  ),
  api("rates", "Reference Rates", "Daily reference exchange rates with their sources.", "rest", ["finance"]),
  api("parcel", "Parcel Status", "One status feed over forty parcel carriers.", "graphql", ["logistics"], {
    schemaUrl: `${web("parcel")}/schema.graphql`,
  }),
  api(
    "library",
    "Library Catalogue",
    "Search of public library catalogues for language models.",
    "mcp",
    ["books", "search"],
    {
      name: "MCP",
      transport: { http: { url: `${web("library")}/mcp`, method: "POST" } },
      tools: [
        tool("search_books", "Finds books by title, author or subject.", "query"),
        tool("availability", "Says which branches hold a copy now.", "isbn", "city"),
      ],
      resources: [
        {
          uri: "catalogue://subjects",
          name: "Subjects",
          description: "The subject tree.",
          mimeType: "application/json",
        },
      ],
      prompts: [
        {
          name: "reading_list",
          description: "A reading list on a subject.",
          arguments: [{ name: "subject", description: "The subject", required: true }],
        },
      ],
    },
  ),
  api(
    "timetable",
    "Timetable",
    "Departures and connections of regional trains for language models.",
    "mcp",
    ["transport"],
    {
      name: "MCP",
      transport: { http: { url: `${web("timetable")}/mcp`, method: "POST" } },
      tools: [
        tool("departures", "Next departures of a station.", "station"),
        tool("connection", "A connection between two stations.", "from", "to"),
      ],
      authentication: {
        oauth2: {
          authorizationUrl: `${web("timetable")}/authorize`,
          tokenUrl: `${web("timetable")}/token`,
          scopes: ["read"],
        },
      },
    },
  ),
  api(
    "translator",
    "Legal Translator",
    "An agent that translates contracts and marks what changed in meaning.",
    "a2a",
    ["language", "law"],
    {
      name: "A2A",
      endpoint: `${web("translator")}/.well-known/agent-card.json`,
    },
  ),
  api(
    "planner",
    "Garden Planner",
    "An agent that plans beds by climate, soil and season.",
    "a2a",
    ["outdoor"],
    {
      name: "A2A",
      endpoint: `${web("planner")}/.well-known/agent-card.json`,
    },
  ),
  {
    path: "clinic",
    interfaces: Interfaces.Human | Interfaces.Api,
    metadata: {
      ...human(
        "clinic",
        "Clinic Finder",
        "Opening hours and waiting times of clinics, for people and for programs.",
        [],
      ).metadata,
      endpoints: [
        { name: "REST", endpoint: `${web("clinic")}/api`, schemaUrl: `${web("clinic")}/openapi.json` },
      ],
      payments: [{ type: "x402", url: `${web("clinic")}/pay`, chains: ["eip155:8453"] }],
      traits: ["api:rest", "health", "pay:x402"],
    },
  },
];
