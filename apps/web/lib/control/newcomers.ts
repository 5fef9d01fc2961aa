import { type DidAccount, listWaiting } from "@app-registry/index/control";
import { didHash } from "@app-registry/sdk";
import { TtlCache } from "@app-registry/server/async";
import { getBlock } from "viem/actions";
import { z } from "zod";
import { readIndex } from "../server/readIndex.ts";
import { type Block, type Registry, registry } from "../server/registry.ts";
import { type AccountControl, lastExpiry, readAccountControl } from "./accountControl.ts";

/** Accounts that wait for control of some DIDs or are blocked. */
export interface Newcomers {
  /** Ordered by the time at which control takes effect. Accounts that never get control come last. */
  newcomers: Newcomer[];
  /** Current blocks, including those of accounts without an attestation, earliest end first. */
  blocks: NamedBlock[];
  /** Number of further accounts that may be waiting and were not read. */
  more: number;
}

/** Time limit of the index for data that a page can omit, in milliseconds. */
export const OPTIONAL_TIME_LIMIT_MS = 3_000;

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
  { client, index }: Pick<Registry, "client" | "index">,
  dids: readonly string[],
  at: { blockNumber?: bigint } = {},
): Promise<Newcomers | undefined> {
  const names = new Map(dids.map((did) => [didHash(did), did]));
  const now = Number((await getBlock(client.publicClient, at)).timestamp);
  const signal = AbortSignal.timeout(OPTIONAL_TIME_LIMIT_MS);
  const read = await readIndex({ index }, (session) => listWaiting(session, [...names.keys()], now), {
    signal,
  });
  if (read === undefined) return undefined;
  const { waiting, blocks } = read;
  const candidates = [
    ...new Map([...waiting, ...blocks].map((one) => [`${one.didHash} ${one.account}`, one])).values(),
  ];
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

const answers = new TtlCache<Newcomers | undefined>(1_000, (answer) =>
  answer === undefined ? 0 : ANSWER_AGE,
);

/** Returns the accounts that wait for control of one DID at a block, cached for 15 seconds. */
export const readCachedNewcomers = (did: string, block: Block): Promise<Newcomers | undefined> =>
  answers.get(`${did} ${block.hash}`, () => readNewcomers(registry(), [did], { blockNumber: block.number }));

const NEVER = Number.POSITIVE_INFINITY;

const firstToControl = (one: Newcomer, other: Newcomer): number =>
  (one.controlsFrom ?? NEVER) - (other.controlsFrom ?? NEVER) || one.since - other.since || 0;

function limited(candidates: readonly DidAccount[]): DidAccount[] {
  const taken = new Map<string, number>();
  const kept = candidates.filter(({ didHash: hash }) => {
    const count = (taken.get(hash) ?? 0) + 1;
    taken.set(hash, count);
    return count <= MAX_OF_DID;
  });
  return kept.slice(0, MAX_ACCOUNTS);
}

type NamedBlock = Omit<Awaited<ReturnType<typeof listWaiting>>["blocks"][number], "didHash"> & {
  did: string;
};

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/) as unknown as z.ZodType<`0x${string}`>;

const time = z.int().nonnegative();

/** Account that issuers attest for a DID that it does not control yet. Times are in Unix seconds. */
export const newcomerSchema = z.object({
  did: z.string(),
  account: address,
  since: time.describe("When the earliest of the account's live attestations began."),
  changedAt: time.describe("When the account was last attested or blocked."),
  controlsFrom: time
    .nullable()
    .describe("When control takes effect if nobody acts, including any block; null if never."),
  blockedUntil: time.nullable().describe("When the block of the account ends; null without a block."),
  expiresAt: time.describe("When the account's last live attestation expires."),
});

export type Newcomer = z.output<typeof newcomerSchema>;

/** Converts an account's control to a newcomer, or returns `undefined` if the account is not waiting. */
function toNewcomer(did: string, control: AccountControl): Newcomer | undefined {
  const { account, controller, attestations, block } = control;
  if (controller.controls || !controller.attested) return undefined;
  const live = attestations.filter((attestation) => attestation.live);
  return {
    did,
    account,
    since: Math.min(...live.map(({ startedAt }) => startedAt)),
    changedAt: Math.max(...live.map(({ statedAt }) => statedAt), block?.blockedAt ?? 0),
    controlsFrom: controller.controlsFrom ?? null,
    blockedUntil: controller.blockedUntil ?? null,
    expiresAt: lastExpiry(live),
  };
}
