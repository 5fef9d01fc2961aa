import "server-only";
import { readDidParties } from "@app-registry/index/control";
import { type AppSummary, didHash, type IssuerState } from "@app-registry/sdk";
import { undefinedIfNotRegistered } from "@app-registry/sdk/internal";
import { TtlCache } from "@app-registry/server/async";
import type { Address } from "viem";
import { getBlock } from "viem/actions";
import type { AccountNames } from "../../components/record/facts.tsx";
import { type AccountControl, getRoles, readAccountControl } from "../../lib/control/accountControl.ts";
import { OPTIONAL_TIME_LIMIT_MS } from "../../lib/control/newcomers.ts";
import { readIndex } from "../../lib/server/readIndex.ts";
import { type Block, registry } from "../../lib/server/registry.ts";

type DidParties = Awaited<ReturnType<typeof readDidParties>>;

/** Controllers of a DID and the accounts that seek control. */
export interface DidControl {
  /** Holder, minter and other accounts with a current claim, controllers first, up to a limit. */
  accounts: { control: AccountControl; roles: string[] }[];
  /** Number of further accounts that were attested for the DID and were not read. */
  more: number;
  /** Challenges that are neither won nor expired, newest first. */
  challenges: DidParties["challenges"];
  /** Reclaims that are neither ended nor expired, newest first. */
  reclaims: DidParties["reclaims"];
  /** True if the index responded. Otherwise only holder and minter are listed. */
  indexed: boolean;
}

/** Cache time of what all visitors share, in milliseconds. */
const ANSWER_AGE = 30_000;
/** Maximum number of accounts of a DID to read. */
const MAX_ACCOUNTS = 8;

const controls = new TtlCache<DidControl>(500, ANSWER_AGE);

interface DidQuery {
  did: string;
  /** Record of the DID, if it has one. */
  record: Pick<AppSummary, "tokenId" | "owner" | "minter"> | undefined;
  /** Block that the page shows. */
  block: Block;
}

/**
 * Reads who controls a DID. The accounts, challenges and reclaims come from the index, their state from the chain.
 * @throws RpcUnavailableError or RpcFailedError.
 */
export const readDidControl = (query: DidQuery): Promise<DidControl> =>
  controls.get(`${query.did} ${query.record?.tokenId} ${query.record?.owner} ${query.block.hash}`, () =>
    readParties(query),
  );

/**
 * Reads who controls a DID at the latest block, with the roles in the record of its latest major, if it has one.
 * @throws RpcUnavailableError or RpcFailedError.
 */
export async function readLatestControl(did: string): Promise<DidControl> {
  const { client } = registry();
  const block = await getBlock(client.publicClient);
  const at = { blockNumber: block.number };
  const major = await undefinedIfNotRegistered(client.latestMajor(did, at));
  const record = major === undefined ? undefined : await client.getAppSummary({ did, major, ...at });
  return readDidControl({ did, record, block });
}

async function readParties({ did, record, block }: DidQuery): Promise<DidControl> {
  const { client, index } = registry();
  const readControl = (account: Address) =>
    readAccountControl(client, { did, account, blockNumber: block.number });
  // The page always shows holder and minter, so read them without waiting for the index.
  const named = new Set(record === undefined ? [] : [record.owner, record.minter]);
  const publishers = new Map([...named].map((account) => [account, readControl(account)]));
  const tokenIds = record === undefined ? [] : [record.tokenId];
  const [parties] = await Promise.all([
    readIndex({ index }, (session) => readDidParties(session, { didHash: didHash(did), tokenIds }), {
      signal: AbortSignal.timeout(OPTIONAL_TIME_LIMIT_MS),
    }),
    ...publishers.values(),
  ]);
  const accounts = [...new Set([...named, ...(parties?.attested ?? [])])];
  const read = await Promise.all(
    accounts.slice(0, MAX_ACCOUNTS).map((account) => publishers.get(account) ?? readControl(account)),
  );
  const now = Math.max(...read.map((control) => control.now));
  return {
    accounts: read
      .map((control) => ({ control, roles: getRoles(control.account, record) }))
      .filter(({ control, roles }) => roles.length > 0 || hasClaim(control))
      .toSorted((one, other) => rank(one) - rank(other)),
    more: Math.max(0, accounts.length - MAX_ACCOUNTS),
    challenges: (parties?.challenges ?? []).filter(({ expiresAt }) => expiresAt > now),
    reclaims: (parties?.reclaims ?? []).filter(({ expiresAt }) => expiresAt > now),
    indexed: parties !== undefined,
  };
}

/** Ranks controllers before other accounts. */
const rank = ({ control }: DidControl["accounts"][number]): number => (control.controller.controls ? 0 : 1);

/** Returns true if an account is attested, was until lately, or is blocked. */
const hasClaim = ({ controller, block }: AccountControl): boolean =>
  controller.attested || controller.resistance > 0 || block !== undefined;

const issuers = new TtlCache<IssuerState[]>(1, ANSWER_AGE);

/** Returns all issuers of the resolver: active, retired and distrusted ones. */
export const readIssuers = (): Promise<IssuerState[]> =>
  issuers.get("issuers", () => registry().client.getIssuers());

/** Returns the operator's names for issuers, by checksummed address. */
export const issuerNames = (): AccountNames =>
  Object.fromEntries([...registry().issuerNames].map(([address, { name }]) => [address, name]));
