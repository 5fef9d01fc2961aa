import "server-only";
import { didHash } from "@app-registry/sdk";
import { TtlCache } from "@app-registry/server/TtlCache";
import type { Address } from "viem";
import { z } from "zod";
import {
  INDEX_QUERY_TIMEOUT_MS,
  indexedAddress,
  pageSchema,
  queryIndex,
} from "../../lib/control/queryIndex.ts";
import { type AccountControl, readAccountControl } from "../../lib/control/readAccountControl.ts";
import { type Block, registry } from "../../lib/server/registry.ts";

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
  const { client, environment } = registry();
  const readControl = (account: Address) =>
    readAccountControl(client, { did, account, blockNumber: block.number });
  // The page always shows holder and minter, so read them without waiting for the index.
  const publishers = new Map([...new Set([owner, minter])].map((account) => [account, readControl(account)]));
  const [parties] = await Promise.all([
    readDidParties(environment.indexerUrls, { did, tokenId }),
    ...publishers.values(),
  ]);
  const attested = parties?.didAttestations.map(({ controller }) => controller) ?? [];
  const accounts = [...new Set([owner, minter, ...attested])].slice(0, MAX_ACCOUNTS);
  const controls = await Promise.all(
    accounts.map((account) => publishers.get(account) ?? readControl(account)),
  );
  const now = Math.max(...controls.map((control) => control.now));
  return {
    accounts: controls
      .map((control) => ({ control, roles: getRoles(control.account, { owner, minter }) }))
      .filter(({ control, roles }) => roles.length > 0 || hasClaim(control)),
    challenges: (parties?.challenges ?? []).filter(
      ({ wonAt, expiresAt }) => wonAt === null && expiresAt > now,
    ),
    reclaims: (parties?.reclaims ?? []).filter(
      ({ endedAt, expiresAt }) => endedAt === null && expiresAt > now,
    ),
    indexed: parties !== undefined,
  };
}

const getRoles = (account: Address, { owner, minter }: Pick<Record, "owner" | "minter">): string[] => [
  ...(account === owner ? ["holder"] : []),
  ...(account === minter ? ["minter"] : []),
];

const hasClaim = ({ controller }: AccountControl): boolean =>
  controller.attested || controller.resistance > 0;

/** Maximum number of rows of each kind, newest first. */
const LIMIT = 20;

const time = z.int();

/** Accounts that were ever involved in the control of a DID. Times are in Unix seconds. */
const partiesSchema = z.object({
  /** Accounts that an issuer attested or revoked. */
  didAttestations: pageSchema({ controller: indexedAddress }),
  challenges: pageSchema({
    incumbent: indexedAddress,
    challenger: indexedAddress,
    openedAt: time,
    resolvableFrom: time,
    expiresAt: time,
    wonAt: time.nullable(),
  }),
  reclaims: pageSchema({
    claimant: indexedAddress,
    openedAt: time,
    finishableFrom: time,
    expiresAt: time,
    endedAt: time.nullable(),
  }),
});
type DidParties = z.output<typeof partiesSchema>;

const query = `query ($didHash: String!, $tokenId: BigInt!, $limit: Int!) {
  didAttestations(where: { didHash: $didHash }, orderBy: "statedAt", orderDirection: "desc", limit: $limit) {
    items { controller }
  }
  challenges(where: { didHash: $didHash }, orderBy: "openedAt", orderDirection: "desc", limit: $limit) {
    items { incumbent challenger openedAt resolvableFrom expiresAt wonAt }
  }
  reclaims(where: { tokenId: $tokenId }, orderBy: "openedAt", orderDirection: "desc", limit: $limit) {
    items { claimant openedAt finishableFrom expiresAt endedAt }
  }
}`;

/** Queries the index for the accounts of a DID. Returns `undefined` if the index is unavailable. */
function readDidParties(
  indexerUrls: readonly string[],
  { did, tokenId }: { did: string; tokenId: bigint },
): Promise<DidParties | undefined> {
  const variables = { didHash: didHash(did), tokenId: String(tokenId), limit: LIMIT };
  return queryIndex(indexerUrls, { query, variables }, partiesSchema, { timeout: INDEX_QUERY_TIMEOUT_MS });
}
