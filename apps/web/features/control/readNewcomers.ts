import { didHash } from "@app-registry/sdk";
import { RecentAnswers } from "@app-registry/server/RecentAnswers";
import type { Address } from "viem";
import { z } from "zod";
import { type Registry, registry } from "../../lib/server/registry.ts";
import { INDEX_PATIENCE, indexedAddress, itemsOf, queryIndex } from "./indexed.ts";
import { type Newcomer, newcomerOf } from "./newcomer.ts";
import { readAccountControl } from "./readAccountControl.ts";

/** Who waits to control some DIDs. */
export interface Newcomers {
  /** The one that counts first comes first; those under an objection come last. */
  newcomers: Newcomer[];
  /** Number of further accounts that may wait, and were not asked about. */
  more: number;
}

/** Rows of the index: the most of one page of it. */
const ROWS = 1_000;
/** The most accounts that the chain is asked about, for one DID and in total. */
const MAX_OF_DID = 20;
const MAX_ACCOUNTS = 60;

/**
 * Reads which accounts wait to control some DIDs: the index names them, the chain says how they stand. Those that would
 * count first are asked about first, so that nobody hides behind others who wait longer.
 *
 * @returns undefined while the index does not answer.
 * @throws RpcUnavailableError or RpcFailedError.
 */
export async function readNewcomers(
  { client, environment }: Pick<Registry, "client" | "environment">,
  dids: readonly string[],
): Promise<Newcomers | undefined> {
  const names = new Map(dids.map((did) => [didHash(did) as string, did]));
  const candidates = await readCandidates(environment.indexerUrls, [...names.keys()]);
  if (candidates === undefined) return undefined;
  const asked = limited(candidates);
  const found = await Promise.all(
    asked.map(async ({ didHash: hash, account }) => {
      const did = names.get(hash) ?? "";
      return newcomerOf(did, await readAccountControl(client, { did, account }));
    }),
  );
  const newcomers = found.filter((newcomer) => newcomer !== undefined).toSorted(firstToCount);
  return { newcomers, more: candidates.length - asked.length };
}

/** Milliseconds for which a service's page shows an answer to everyone. */
const ANSWER_AGE = 15_000;

const answers = new RecentAnswers<Newcomers | undefined>(1_000);

/** Who waits to control one DID, as it was found within 15 seconds. */
export const recentNewcomers = (did: string): Promise<Newcomers | undefined> =>
  answers.get(
    did,
    (answer) => (answer === undefined ? 0 : ANSWER_AGE),
    () => readNewcomers(registry(), [did]),
  );

const NEVER = Number.POSITIVE_INFINITY;

const firstToCount = (one: Newcomer, other: Newcomer): number =>
  (one.countsFrom ?? NEVER) - (other.countsFrom ?? NEVER) || one.since - other.since || 0;

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

const candidatesSchema = z.object({
  liveDidAttestations: itemsOf({ didHash: z.string(), controller: indexedAddress }),
  objections: itemsOf({ didHash: z.string(), account: indexedAddress }),
});

const query = `query ($didHashes: [String], $rows: Int!) {
  liveDidAttestations(
    where: { didHash_in: $didHashes, settled: false, vouched: false }
    orderBy: "settlesAt", orderDirection: "asc", limit: $rows
  ) { items { didHash controller } }
  objections(where: { didHash_in: $didHashes, endedAt: null }, orderBy: "objectedAt", orderDirection: "desc", limit: $rows) {
    items { didHash account }
  }
}`;

/** Accounts with an attestation that has not settled, and accounts that somebody objects to. */
async function readCandidates(
  indexerUrls: readonly string[],
  didHashes: readonly string[],
): Promise<Candidate[] | undefined> {
  if (didHashes.length === 0) return [];
  const variables = { didHashes, rows: ROWS };
  const found = await queryIndex(indexerUrls, { query, variables }, candidatesSchema, {
    timeout: INDEX_PATIENCE,
  });
  if (found === undefined) return undefined;
  const candidates = [
    ...found.liveDidAttestations.map(({ didHash: hash, controller: account }) => ({
      didHash: hash,
      account,
    })),
    ...found.objections,
  ];
  return [...new Map(candidates.map((one) => [`${one.didHash} ${one.account}`, one])).values()];
}
