import { createGuardedFetch, importMcp } from "@app-registry/outbound";
import { HashAlgorithm, Interfaces, MCP_ENDPOINT_NAME, type Metadata } from "@app-registry/sdk";
import { deployContract } from "@app-registry/test-kit/deployContracts";
import type { Account } from "viem";
import { hardhat } from "viem/chains";
import { DEMO_PUBLISHER_INDEX, localAccount } from "./accounts.ts";
import { registerService, type Service, type StackUrls } from "./client.ts";

/** Sample service with the DID `did:web:<the stack's host>:<path>`. */
export interface Sample {
  path: string;
  interfaces: number;
  metadata: Metadata;
}

const texts = {
  ledger: ["Paper Ledger", "Double-entry bookkeeping for small shops, in the browser."],
  atlas: ["Walking Atlas", "Maps for walkers with every public footpath and its condition."],
  chorus: ["Chorus", "Rehearsal recordings and sheet music for choirs."],
  weather: ["Harbour Weather", "Forecasts and tide tables for 1,200 harbours."],
  rates: ["Reference Rates", "Daily reference exchange rates with their sources."],
  parcel: ["Parcel Status", "One status feed over forty parcel carriers."],
  library: ["Library Catalogue", "Search of public library catalogues for language models."],
  timetable: ["Timetable", "Departures and connections of regional trains for language models."],
  translator: ["Legal Translator", "An agent that translates contracts and marks what changed in meaning."],
  planner: ["Garden Planner", "An agent that plans beds by climate, soil and season."],
  clinic: ["Clinic Finder", "Opening hours and waiting times of clinics, for people and for programs."],
} as const;

type Path = keyof typeof texts;

const web = (path: Path) => `https://${path}.example`;

function sample(path: Path, interfaces: number, traits: string[], more: Partial<Metadata>): Sample {
  const [name, description] = texts[path];
  const about = { name, description, publisher: `${name} team`, external_url: web(path) };
  // The samples' hosts never exist (RFC 2606), so daily probes of them are useless.
  return { path, interfaces, metadata: { ...about, probe: false, ...more, traits } };
}

const screens = (path: Path) => ({
  image: `${web(path)}/icon.png`,
  supportUrl: `${web(path)}/support`,
  screenshotUrls: [`${web(path)}/screenshots/1.png`, `${web(path)}/screenshots/2.png`],
  platforms: { web: { launchUrl: `${web(path)}/app` } },
});

const human = (path: Path, ...traits: string[]) => sample(path, Interfaces.Human, traits, screens(path));

function api(path: Path, type: string, traits: string[], more: object = {}): Sample {
  const endpoint = { name: type.toUpperCase(), endpoint: `${web(path)}/${type}`, interfaceVersions: ["1.0"] };
  const endpoints = [{ ...endpoint, ...more }];
  return sample(path, Interfaces.Api, [`api:${type}`, ...traits], { endpoints });
}

const mcp = (path: Path, traits: string[], offer: object) =>
  api(path, "mcp", traits, { transport: { http: { url: `${web(path)}/mcp`, method: "POST" } }, ...offer });

const a2a = (path: Path, ...traits: string[]) =>
  api(path, "a2a", traits, { endpoint: `${web(path)}/.well-known/agent-card.json` });

/** Creates a tool of an MCP server whose parameters are required strings. */
function tool(name: string, description: string, ...parameters: string[]) {
  const properties = Object.fromEntries(parameters.map((parameter) => [parameter, { type: "string" }]));
  return { name, description, inputSchema: { type: "object", properties, required: parameters } };
}

const subjects = { uri: "catalogue://subjects", name: "Subjects", description: "The subject tree." };
const subject = { name: "subject", description: "The subject", required: true };
const readingList = { name: "reading_list", description: "A reading list on a subject." };

export const samples: Sample[] = [
  human("ledger", "finance", "productivity"),
  human("atlas", "maps", "outdoor"),
  human("chorus", "music"),
  api("weather", "rest", ["weather", "pay:x402"], { schemaUrl: `${web("weather")}/openapi.json` }),
  api("rates", "rest", ["finance"]),
  api("parcel", "graphql", ["logistics"], { schemaUrl: `${web("parcel")}/schema.graphql` }),
  mcp("library", ["books", "search"], {
    tools: [
      tool("search_books", "Finds books by title, author or subject.", "query"),
      tool("availability", "Says which branches hold a copy now.", "isbn", "city"),
    ],
    resources: [{ ...subjects, mimeType: "application/json" }],
    prompts: [{ ...readingList, arguments: [subject] }],
  }),
  mcp("timetable", ["transport"], {
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
  }),
  a2a("translator", "language", "law"),
  a2a("planner", "outdoor"),
  sample("clinic", Interfaces.Human | Interfaces.Api, ["api:rest", "health", "pay:x402"], {
    ...screens("clinic"),
    endpoints: [
      { name: "REST", endpoint: `${web("clinic")}/api`, schemaUrl: `${web("clinic")}/openapi.json` },
    ],
    payments: [{ type: "x402", url: `${web("clinic")}/pay`, chains: ["eip155:8453"] }],
  }),
];

/** Path of the sample whose URLs are not proven to belong to its DID, so that the fact *origin* fails. */
const FOREIGN_ORIGIN_SAMPLE = "parcel";

/** Moves the URLs of metadata below the DID's address. */
const belowDid = (metadata: Metadata, path: string, address: string): Metadata =>
  JSON.parse(JSON.stringify(metadata).replaceAll(`https://${path}.example`, address));

/**
 * Registers a dozen varied services on the local stack, among them an on-chain application and the registry's own MCP
 * server.
 */
export async function registerSampleServices(urls: StackUrls): Promise<void> {
  const account = localAccount(DEMO_PUBLISHER_INDEX);
  const { host, origin } = new URL(urls.webUrl);
  const services: Service[] = samples.map(({ path, interfaces, metadata }, index) => ({
    did: `did:web:${host.replace(":", "%3A")}:${path}`,
    interfaces,
    metadata: path === FOREIGN_ORIGIN_SAMPLE ? metadata : belowDid(metadata, path, `${origin}/${path}`),
    algorithm: index % 3 === 2 ? HashAlgorithm.sha256 : HashAlgorithm.keccak256,
  }));
  services.push(await onChainService(urls, account));
  const registerAll = async () => {
    for (const service of services) await registerService(urls, account, service);
  };
  const [registry] = await Promise.all([registryService(origin), registerAll()]);
  await registerService(urls, account, registry);
}

/** Returns the registry itself as a service, with the tools that its MCP server lists. */
async function registryService(origin: string): Promise<Service> {
  // The web app compiles its routes at their first requests.
  const guardedFetch = createGuardedFetch({ allowLoopback: true, timeout: 60_000 });
  try {
    const endpoint = `${origin}/mcp`;
    const { tools, server } = await importMcp(endpoint, { guardedFetch });
    const entry = { name: MCP_ENDPOINT_NAME, endpoint, tools, instructions: server.instructions };
    const metadata = {
      name: "App Registry",
      description: "Searches this registry, checks its services and says how to connect to them.",
      publisher: "This registry",
      external_url: origin,
      traits: ["api:mcp", "registry"],
      endpoints: [entry],
    };
    const did = `did:web:${new URL(origin).host.replace(":", "%3A")}`;
    return { did, interfaces: Interfaces.Api, metadata: metadata as Metadata };
  } finally {
    await guardedFetch.close();
  }
}

/** Deploys an Ownable contract of the publisher and returns it as a service. */
async function onChainService(urls: StackUrls, account: Account): Promise<Service> {
  const address = await deployContract(urls.rpcUrl, "examples/OwnableService", [account.address], account);
  const contractId = `eip155:${hardhat.id}:${address.toLowerCase()}`;
  return {
    did: `did:pkh:${contractId}`,
    interfaces: Interfaces.Contract,
    contractId,
    metadata: {
      name: "Deposit Box",
      description: "A contract whose owner alone may change its greeting.",
      publisher: "Deposit Box team",
      endpoints: [
        { name: "Contract", endpoint: urls.rpcUrl, schemaUrl: "https://deposit-box.example/abi.json" },
      ],
      traits: ["on-chain"],
    },
  };
}
