import type { Metadata, Version } from "@app-registry/sdk";
import type { Hex } from "viem";
import { drawKind, drawMetadata, interfacesOf, type Kind } from "./metadata.ts";
import { Random } from "./random.ts";
import { coinedName } from "./vocabulary.ts";
import { Zipf } from "./zipf.ts";

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
