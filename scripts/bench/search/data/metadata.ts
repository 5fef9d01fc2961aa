import { Interfaces, type Metadata } from "@app-registry/sdk";
import type { Random } from "./random.ts";
import { drawTraits } from "./traits.ts";
import { coinedName, contentWord, sentences } from "./vocabulary.ts";

/** What kinds of services there are, with their share of all. */
const kinds = [
  { kind: "mcp", share: 0.35 },
  { kind: "rest", share: 0.25 },
  { kind: "human", share: 0.15 },
  { kind: "a2a", share: 0.1 },
  { kind: "contract", share: 0.1 },
  { kind: "human-rest", share: 0.05 },
] as const;

export type Kind = (typeof kinds)[number]["kind"];

export function drawKind(random: Random): Kind {
  let left = random.unit();
  for (const { kind, share } of kinds) {
    left -= share;
    if (left < 0) return kind;
  }
  return "rest";
}

/** Bitmap of the interfaces of a kind. */
export const interfacesOf: Record<Kind, number> = {
  mcp: Interfaces.Api,
  rest: Interfaces.Api,
  a2a: Interfaces.Api,
  human: Interfaces.Human,
  "human-rest": Interfaces.Human | Interfaces.Api,
  contract: Interfaces.Contract,
};

const title = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

/** A metadata JSON of about 2 kB, as publishers of that kind write it. */
export function drawMetadata(random: Random, kind: Kind, host: string): Metadata {
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
