import "server-only";
import { readDidParties } from "@app-registry/index/control";
import { didHash } from "@app-registry/sdk";
import { TtlCache } from "@app-registry/server/TtlCache";
import type { Address } from "viem";
import { type AccountControl, readAccountControl } from "../../lib/control/readAccountControl.ts";
import { OPTIONAL_TIME_LIMIT_MS } from "../../lib/control/readNewcomers.ts";
import { readIndex } from "../../lib/server/readIndex.ts";
import { type Block, registry } from "../../lib/server/registry.ts";

type DidParties = Awaited<ReturnType<typeof readDidParties>>;

/** Controllers of a DID and the accounts that seek control. */
export interface DidControl {
  /** Holder, minter and other accounts with a current claim, up to a limit. */
  accounts: { control: AccountControl; roles: string[] }[];
  /** Challenges that are neither won nor expired, newest first. */
  challenges: DidParties["challenges"];
  /** Reclaims that are neither ended nor expired, newest first. */
  reclaims: DidParties["reclaims"];
  /** True if the index responded. Otherwise only holder and minter are listed. */
  indexed: boolean;
}

/** Cache time at one block, shared by all visitors, in milliseconds. */
const ANSWER_AGE = 30_000;
/** Maximum number of accounts of a DID to read. */
const MAX_ACCOUNTS = 8;

const answers = new TtlCache<DidControl>(500);

interface Record {
  did: string;
  tokenId: bigint;
  owner: Address;
  minter: Address;
  /** Block that the page shows. */
  block: Block;
}

/**
 * Reads who controls the DID of a record. The accounts, challenges and reclaims come from the index, their state from
 * the chain.
 * @throws RpcUnavailableError or RpcFailedError.
 */
export const readDidControl = (record: Record): Promise<DidControl> =>
  answers.get(
    `${record.did} ${record.tokenId} ${record.owner} ${record.block.hash}`,
    () => ANSWER_AGE,
    () => read(record),
  );

async function read({ did, tokenId, owner, minter, block }: Record): Promise<DidControl> {
  const { client, index } = registry();
  const readControl = (account: Address) =>
    readAccountControl(client, { did, account, blockNumber: block.number });
  // The page always shows holder and minter, so read them without waiting for the index.
  const publishers = new Map([...new Set([owner, minter])].map((account) => [account, readControl(account)]));
  const [parties] = await Promise.all([
    readIndex({ index }, (session) => readDidParties(session, { didHash: didHash(did), tokenId }), {
      signal: AbortSignal.timeout(OPTIONAL_TIME_LIMIT_MS),
    }),
    ...publishers.values(),
  ]);
  const accounts = [...new Set([owner, minter, ...(parties?.attested ?? [])])].slice(0, MAX_ACCOUNTS);
  const controls = await Promise.all(
    accounts.map((account) => publishers.get(account) ?? readControl(account)),
  );
  const now = Math.max(...controls.map((control) => control.now));
  return {
    accounts: controls
      .map((control) => ({ control, roles: getRoles(control.account, { owner, minter }) }))
      .filter(({ control, roles }) => roles.length > 0 || hasClaim(control)),
    challenges: (parties?.challenges ?? []).filter(({ expiresAt }) => expiresAt > now),
    reclaims: (parties?.reclaims ?? []).filter(({ expiresAt }) => expiresAt > now),
    indexed: parties !== undefined,
  };
}

const getRoles = (account: Address, { owner, minter }: Pick<Record, "owner" | "minter">): string[] => [
  ...(account === owner ? ["holder"] : []),
  ...(account === minter ? ["minter"] : []),
];

const hasClaim = ({ controller }: AccountControl): boolean =>
  controller.attested || controller.resistance > 0;
