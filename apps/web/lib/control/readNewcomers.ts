import { didHash } from "@app-registry/sdk";
import { TtlCache } from "@app-registry/server/TtlCache";
import type { Address } from "viem";
import { getBlock } from "viem/actions";
import { z } from "zod";
import { type Block, type Registry, registry } from "../server/registry.ts";
import { type Newcomer, toNewcomer } from "./newcomer.ts";
import { INDEX_QUERY_TIMEOUT_MS, indexedAddress, pageSchema, queryIndex } from "./queryIndex.ts";
import { readAccountControl } from "./readAccountControl.ts";

/** Accounts that wait for control of some DIDs or are blocked. */
export interface Newcomers {
  /** Ordered by the time at which control takes effect. Accounts that never get control come last. */
  newcomers: Newcomer[];
  /** Current blocks, including those of accounts without an attestation, earliest end first. */
  blocks: NamedBlock[];
  /** Number of further accounts that may be waiting and were not read. */
  more: number;
}

/** Maximum page size of the index. */
const ROWS = 1_000;
/** Maximum number of accounts to read from the chain, per DID and in total. */
const MAX_OF_DID = 20;
const MAX_ACCOUNTS = 60;

/**
 * Reads which accounts wait for control of some DIDs. The index lists the accounts, the chain provides their state.
 * Accounts whose control takes effect first are read first, so that they cannot be displaced by later ones.
 *
 * @returns `undefined` if the index is unavailable.
 * @throws RpcUnavailableError or RpcFailedError.
 */
export async function readNewcomers(
  { client, environment }: Pick<Registry, "client" | "environment">,
  dids: readonly string[],
  at: { blockNumber?: bigint } = {},
): Promise<Newcomers | undefined> {
  const names = new Map(dids.map((did) => [didHash(did) as string, did]));
  const now = Number((await getBlock(client.publicClient, at)).timestamp);
  const read = await readCandidates(environment.indexerUrls, { didHashes: [...names.keys()], now });
  if (read === undefined) return undefined;
  const { candidates, blocks } = read;
  const asked = limited(candidates);
  const found = await Promise.all(
    asked.map(async ({ didHash: hash, account }) => {
      const did = names.get(hash) ?? "";
      return toNewcomer(did, await readAccountControl(client, { did, account, ...at }));
    }),
  );
  const newcomers = found.filter((newcomer) => newcomer !== undefined).toSorted(firstToControl);
  return {
    newcomers,
    blocks: blocks.map(({ didHash: hash, ...block }) => ({ did: names.get(hash) ?? "", ...block })),
    more: candidates.length - asked.length,
  };
}

/** Cache time of a service's page at one block, shared by all visitors, in milliseconds. */
const ANSWER_AGE = 15_000;

const answers = new TtlCache<Newcomers | undefined>(1_000);

/** Returns the accounts that wait for control of one DID at a block, cached for 15 seconds. */
export const readCachedNewcomers = (did: string, block: Block): Promise<Newcomers | undefined> =>
  answers.get(
    `${did} ${block.hash}`,
    (answer) => (answer === undefined ? 0 : ANSWER_AGE),
    () => readNewcomers(registry(), [did], { blockNumber: block.number }),
  );

const NEVER = Number.POSITIVE_INFINITY;

const firstToControl = (one: Newcomer, other: Newcomer): number =>
  (one.controlsFrom ?? NEVER) - (other.controlsFrom ?? NEVER) || one.since - other.since || 0;

interface Candidate {
  didHash: string;
  account: Address;
}

function limited(candidates: readonly Candidate[]): Candidate[] {
  const taken = new Map<string, number>();
  const kept = candidates.filter(({ didHash: hash }) => {
    const count = (taken.get(hash) ?? 0) + 1;
    taken.set(hash, count);
    return count <= MAX_OF_DID;
  });
  return kept.slice(0, MAX_ACCOUNTS);
}

type IndexedBlock = z.output<typeof candidatesSchema>["blocks"][number];
type NamedBlock = Omit<IndexedBlock, "didHash"> & { did: string };

const candidatesSchema = z.object({
  liveDidAttestations: pageSchema({ didHash: z.string(), controller: indexedAddress }),
  blocks: pageSchema({
    didHash: z.string(),
    account: indexedAddress,
    author: indexedAddress,
    blockedAt: z.int(),
    blockedUntil: z.int(),
    weight: z.int(),
  }),
});

const query = `query ($didHashes: [String], $now: Int!, $rows: Int!) {
  liveDidAttestations(
    where: { didHash_in: $didHashes, matured: false }
    orderBy: "maturesAt", orderDirection: "asc", limit: $rows
  ) { items { didHash controller } }
  blocks(
    where: { didHash_in: $didHashes, unblockedAt: null, blockedUntil_gt: $now }
    orderBy: "blockedUntil", orderDirection: "asc", limit: $rows
  ) { items { didHash account author blockedAt blockedUntil weight } }
}`;

/** Returns the accounts with an attestation that has not matured, and the blocked ones. */
async function readCandidates(
  indexerUrls: readonly string[],
  { didHashes, now }: { didHashes: readonly string[]; now: number },
): Promise<{ candidates: Candidate[]; blocks: IndexedBlock[] } | undefined> {
  if (didHashes.length === 0) return { candidates: [], blocks: [] };
  const variables = { didHashes, now, rows: ROWS };
  const found = await queryIndex(indexerUrls, { query, variables }, candidatesSchema, {
    timeout: INDEX_QUERY_TIMEOUT_MS,
  });
  if (found === undefined) return undefined;
  const candidates = [
    ...found.liveDidAttestations.map(({ didHash: hash, controller: account }) => ({
      didHash: hash,
      account,
    })),
    ...found.blocks.map(({ didHash: hash, account }) => ({ didHash: hash, account })),
  ];
  return {
    candidates: [...new Map(candidates.map((one) => [`${one.didHash} ${one.account}`, one])).values()],
    blocks: found.blocks,
  };
}
