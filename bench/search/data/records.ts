import { Interfaces, type Metadata } from "@app-registry/sdk";
import type { Hex } from "viem";
import { Random } from "./random.ts";
import { drawContentWord, drawName, drawText, drawTraits } from "./vocabulary.ts";

/** Seed of all data, the same for every size, so that a smaller registry is a prefix of a larger one. */
const SEED = 2026;

/** Record of the registry with its JSON. */
export interface BenchRecord {
  tokenId: number;
  did: string;
  major: number;
  /** Minter and holder. */
  owner: Hex;
  /** 0 Active, 1 Deprecated, 2 Replaced. */
  status: number;
  interfaces: number;
  contractId: string;
  metadata: Metadata & { traits: string[] };
}

/** Interval of records that are the second major version of the previous one. */
const MAJOR_EVERY = 20;
const ACCOUNTS = 200_000;

/** Returns the record at an index in the order of minting, from 0. */
export function recordAt(index: number): BenchRecord {
  const major = index % MAJOR_EVERY === MAJOR_EVERY - 1 ? 2 : 1;
  const service = new Random(SEED, index - major + 1);
  const kind = service.pick(kinds);
  const host = `${drawName(service).toLowerCase()}-${(index - major + 1).toString(36)}.${service.pick(["com", "dev", "io"])}`;
  const contractId = kind === "contract" ? `eip155:1:${service.hex(20)}` : "";
  const owner = new Random(SEED + 1, service.rank(ACCOUNTS)).hex(20);
  const random = new Random(SEED + 2, index);
  return {
    ...{ tokenId: index + 1, major, owner, contractId },
    did: contractId ? `did:pkh:${contractId}` : `did:web:${host}`,
    status: random.chance(0.1) ? random.between(1, 2) : 0,
    interfaces: isApi(kind) ? Interfaces.Api : kind === "human" ? Interfaces.Human : Interfaces.Contract,
    metadata: drawMetadata(random, kind, `https://${host}`),
  };
}

/** Kinds of services. Repetitions set their frequency. */
const kinds = ["mcp", "mcp", "mcp", "rest", "rest", "human", "a2a", "contract"] as const;

type Kind = (typeof kinds)[number];

const isApi = (kind: Kind) => kind !== "human" && kind !== "contract";

/** Draws a metadata JSON of about 2 kB, typical of the kind. */
function drawMetadata(random: Random, kind: Kind, site: string): BenchRecord["metadata"] {
  return {
    name: `${drawName(random)} ${drawContentWord(random)}`,
    publisher: `${drawName(random)} ${random.pick(["Labs", "Inc", "GmbH", "Foundation"])}`,
    image: `${site}/icon.png`,
    external_url: site,
    description: drawText(random, kind === "mcp" ? random.between(30, 60) : random.between(140, 220)),
    ...(kind === "human"
      ? { platforms: { web: { launchUrl: `${site}/app` } }, screenshotUrls: [`${site}/screenshots/1.png`] }
      : { endpoints: [endpoints[kind](random, site)] }),
    traits: [...(isApi(kind) ? [`api:${kind}`] : []), ...drawTraits(random, random.between(2, 8))],
  } as BenchRecord["metadata"];
}

const drawTool = (random: Random) => ({
  name: `${random.pick(["get", "list", "create"])}_${drawContentWord(random)}`,
  description: drawText(random, random.between(10, 24)),
  inputSchema: {
    type: "object",
    properties: { [drawContentWord(random)]: { type: "string", description: drawText(random, 4) } },
  },
});

const endpoints: Record<Exclude<Kind, "human">, (random: Random, site: string) => object> = {
  mcp: (random, site) => ({
    ...{ name: "MCP", endpoint: `${site}/mcp`, interfaceVersions: ["2025-06-18"] },
    tools: Array.from({ length: random.between(3, 7) }, () => drawTool(random)),
  }),
  rest: (_, site) => ({ name: "REST", endpoint: `${site}/v1`, schemaUrl: `${site}/openapi.json` }),
  a2a: (_, site) => ({ name: "A2A", endpoint: `${site}/.well-known/agent-card.json` }),
  contract: (_, site) => ({ name: "Contract", endpoint: `${site}/rpc`, schemaUrl: `${site}/abi.json` }),
};
