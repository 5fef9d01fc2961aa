import { Interfaces, type Metadata, type Version } from "@app-registry/sdk";
import type { Hex } from "viem";
import { Random, Zipf } from "./random.ts";
import { coinedName, contentWord, drawTraits, sentences } from "./vocabulary.ts";

/** The seed of all data: the same for every size, so that a smaller registry is the beginning of a larger one. */
const SEED = 2026;

/** A record of the registry with everything that happened to it. */
export interface BenchRecord {
  tokenId: number;
  did: string;
  minter: Hex;
  owner: Hex;
  /** 0 Active, 1 Deprecated, 2 Replaced. */
  status: number;
  interfaces: number;
  contractId: string;
  /** Oldest first; each is published with a JSON of its own. */
  versions: { version: Version; metadata: Metadata }[];
}

/** One record in so many is a further major version of a service before it. */
const MAJOR_EVERY = 20;

const ACCOUNTS = 200_000;
const accounts = new Zipf(ACCOUNTS, { exponent: 0.8 });

const account = (rank: number): Hex => new Random(SEED + 1, rank).hex(20);

interface Service {
  did: string;
  kind: Kind;
  host: string;
  controller: Hex;
}

/** The service that the record of an index belongs to. */
function serviceOf(index: number): Service {
  const random = new Random(SEED, index);
  const kind = drawKind(random);
  const host = `${coinedName(random)}-${index.toString(36)}.${random.pick(["com", "dev", "io", "ai", "org", "net"])}`;
  return {
    kind,
    host,
    controller: account(accounts.draw(random)),
    did: kind === "contract" ? `did:pkh:eip155:1:${random.hex(20)}` : `did:web:${host}`,
  };
}

/** The index of the service's first record, and the major version of the record at `index`. */
function placeOf(index: number): { first: number; major: number } {
  if (index % MAJOR_EVERY !== MAJOR_EVERY - 1) return { first: index, major: 1 };
  const back = new Random(SEED + 2, index).between(1, MAJOR_EVERY - 1);
  return { first: index - back, major: 2 };
}

/** How many versions a record has: most have one. */
function drawVersionCount(random: Random): number {
  const share = random.unit();
  if (share < 0.85) return 1;
  if (share < 0.95) return 2;
  return share < 0.99 ? 3 : 6;
}

/** The record of a place in the order of minting, from 0. */
export function recordAt(index: number): BenchRecord {
  const { first, major } = placeOf(index);
  const { did, kind, host, controller } = serviceOf(first);
  const random = new Random(SEED + 3, index);
  const status = random.chance(0.1) ? random.between(1, 2) : 0;
  const sold = random.chance(0.03);
  const metadata = drawMetadata(random, kind, host);
  const versions = Array.from({ length: drawVersionCount(random) }, (_, minor) => ({
    version: { major, minor, patch: 0 },
    metadata: minor === 0 ? metadata : { ...drawMetadata(random, kind, host), name: metadata.name },
  }));
  return {
    tokenId: index + 1,
    did,
    minter: controller,
    owner: sold ? account(accounts.draw(random)) : controller,
    status,
    interfaces: interfacesOf[kind],
    contractId: kind === "contract" ? did.replace("did:pkh:", "") : "",
    versions,
  };
}

/** What kinds of services there are, with their share of all. */
const kinds = [
  { kind: "mcp", share: 0.35 },
  { kind: "rest", share: 0.25 },
  { kind: "human", share: 0.15 },
  { kind: "a2a", share: 0.1 },
  { kind: "contract", share: 0.1 },
  { kind: "human-rest", share: 0.05 },
] as const;

type Kind = (typeof kinds)[number]["kind"];

function drawKind(random: Random): Kind {
  let left = random.unit();
  for (const { kind, share } of kinds) {
    left -= share;
    if (left < 0) return kind;
  }
  return "rest";
}

/** Bitmap of the interfaces of a kind. */
const interfacesOf: Record<Kind, number> = {
  mcp: Interfaces.Api,
  rest: Interfaces.Api,
  a2a: Interfaces.Api,
  human: Interfaces.Human,
  "human-rest": Interfaces.Human | Interfaces.Api,
  contract: Interfaces.Contract,
};

const title = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

/** A metadata JSON of about 2 kB, as publishers of that kind write it. */
function drawMetadata(random: Random, kind: Kind, host: string): Metadata {
  const site = `https://${host}`;
  const product = [title(coinedName(random)), title(contentWord(random))];
  if (random.chance(0.4)) product.push(title(contentWord(random)));
  const free = drawTraits(random, random.between(2, 8));
  return {
    name: product.join(" "),
    publisher: `${title(coinedName(random))} ${random.pick(["Labs", "Inc", "GmbH", "Team", "Systems", "Foundation"])}`,
    image: `${site}/icon.png`,
    external_url: site,
    supportUrl: `${site}/support`,
    ...content[kind](random, site),
    traits: [...(apiTrait[kind] ? [apiTrait[kind]] : []), ...free],
  } as Metadata;
}

const apiTrait: Partial<Record<Kind, string>> = {
  mcp: "api:mcp",
  rest: "api:rest",
  a2a: "api:a2a",
  "human-rest": "api:rest",
};

type Content = (random: Random, site: string) => Record<string, unknown>;

const people: Content = (random, site) => ({
  description: sentences(random, random.between(120, 200)),
  screenshotUrls: Array.from(
    { length: random.between(2, 5) },
    (_, at) => `${site}/screenshots/${at + 1}.png`,
  ),
  platforms: { web: { launchUrl: `${site}/app` }, ios: { downloadUrl: `${site}/ios` } },
});

const restEndpoint = (site: string) => ({
  name: "REST",
  endpoint: `${site}/v1`,
  schemaUrl: `${site}/openapi.json`,
  interfaceVersions: ["1.0", "1.1"],
  authentication: {
    oauth2: { authorizationUrl: `${site}/authorize`, tokenUrl: `${site}/token`, scopes: ["read", "write"] },
  },
});

function mcpTool(random: Random) {
  const parameters = Array.from({ length: random.between(1, 3) }, () => contentWord(random));
  const properties = Object.fromEntries(
    parameters.map((name) => [name, { type: "string", description: sentences(random, 4) }]),
  );
  return {
    name: `${random.pick(["get", "list", "find", "create", "update"])}_${contentWord(random)}`,
    description: sentences(random, random.between(10, 24)),
    inputSchema: { type: "object", properties, required: [...new Set(parameters)] },
  };
}

const content: Record<Kind, Content> = {
  human: people,
  rest: (random, site) => ({
    description: sentences(random, random.between(140, 220)),
    endpoints: [restEndpoint(site)],
    payments: [{ type: "x402", url: `${site}/pay`, chains: ["eip155:8453"] }],
  }),
  "human-rest": (random, site) => ({ ...people(random, site), endpoints: [restEndpoint(site)] }),
  mcp: (random, site) => ({
    description: sentences(random, random.between(30, 60)),
    endpoints: [
      {
        name: "MCP",
        endpoint: `${site}/mcp`,
        interfaceVersions: ["2025-06-18"],
        transport: { http: { url: `${site}/mcp`, method: "POST" } },
        tools: Array.from({ length: random.between(3, 7) }, () => mcpTool(random)),
      },
    ],
  }),
  a2a: (random, site) => ({
    description: sentences(random, random.between(150, 230)),
    endpoints: [
      {
        name: "A2A",
        endpoint: `${site}/.well-known/agent-card.json`,
        interfaceVersions: ["0.3"],
        authentication: {
          methods: ["did-auth", "jwt"],
          jwksUrl: `${site}/.well-known/jwks.json`,
          issuer: site,
        },
      },
    ],
  }),
  contract: (random, site) => ({
    description: sentences(random, random.between(150, 230)),
    endpoints: [{ name: "Contract", endpoint: `${site}/rpc`, schemaUrl: `${site}/abi.json` }],
  }),
};
