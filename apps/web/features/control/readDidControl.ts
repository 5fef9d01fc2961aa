import "server-only";
import type { Address } from "viem";
import { RecentAnswers } from "../../lib/server/RecentAnswers.ts";
import { registry } from "../../lib/server/registry.ts";
import { type AccountControl, readAccountControl } from "./readAccountControl.ts";
import { type IndexedChallenge, type IndexedReclaim, readDidParties } from "./readDidParties.ts";

/** Who controls a DID, and who wants to. */
export interface DidControl {
  /** Holder, minter, and every other account that has a claim now; the first ones of many. */
  accounts: { control: AccountControl; roles: string[] }[];
  /** Neither won nor void, the newest first. */
  challenges: IndexedChallenge[];
  /** Neither ended nor void, the newest first. */
  reclaims: IndexedReclaim[];
  /** Whether the index answered: without it only holder and minter are known. */
  indexed: boolean;
}

/** Milliseconds for which an answer is shown to everyone. */
const ANSWER_AGE = 30_000;
/** The most accounts of a DID that are asked about. */
const MAX_ACCOUNTS = 8;

const answers = new RecentAnswers<DidControl>(500);

interface Record {
  did: string;
  tokenId: bigint;
  owner: Address;
  minter: Address;
}

/**
 * Reads who controls the DID of a record: the accounts, challenges and reclaims from the index, how they stand from the
 * chain.
 * @throws RpcUnavailableError or RpcFailedError.
 */
export const readDidControl = (record: Record): Promise<DidControl> =>
  answers.get(
    `${record.did} ${record.tokenId} ${record.owner}`,
    () => ANSWER_AGE,
    () => read(record),
  );

async function read({ did, tokenId, owner, minter }: Record): Promise<DidControl> {
  const { client, environment } = registry();
  const parties = await readDidParties(environment.indexerUrls, { did, tokenId });
  const accounts = [...new Set([owner, minter, ...(parties?.controllers ?? [])])].slice(0, MAX_ACCOUNTS);
  const controls = await Promise.all(accounts.map((account) => readAccountControl(client, { did, account })));
  const now = Math.max(...controls.map((control) => control.now));
  return {
    accounts: controls
      .map((control) => ({ control, roles: rolesOf(control.account, { owner, minter }) }))
      .filter(({ control, roles }) => roles.length > 0 || hasClaim(control)),
    challenges: (parties?.challenges ?? []).filter(({ wonAt, voidFrom }) => wonAt === null && voidFrom > now),
    reclaims: (parties?.reclaims ?? []).filter(({ endedAt, voidFrom }) => endedAt === null && voidFrom > now),
    indexed: parties !== undefined,
  };
}

const rolesOf = (account: Address, { owner, minter }: Pick<Record, "owner" | "minter">): string[] => [
  ...(account === owner ? ["holder"] : []),
  ...(account === minter ? ["minter"] : []),
];

const hasClaim = ({ controller }: AccountControl): boolean =>
  controller.attested || controller.late || controller.standing > 0;
