import type { AppRegistryClient, AppSummary, Reclaim, SearchResult } from "@app-registry/sdk";
import { type Address, isAddressEqual } from "viem";
import { type AccountControl, readAccountControl } from "../../lib/control/accountControl.ts";
import type { Account } from "../../lib/server/accounts/readAccount.ts";

/** Record of a DID according to the chain. */
export interface MyRecord {
  summary: AppSummary;
  /** Name according to the index. */
  name: string | undefined;
  /** Outcomes of the facts that the index has checked. */
  facts: SearchResult["facts"];
  /** Result of the last live check. */
  live: SearchResult["live"];
  /** True if another account than the minter finished the last reclaim, which ended the minter's part in the record. */
  hasMinterLost: boolean;
  /** The wallet's open reclaim. */
  reclaim: Reclaim | undefined;
  /** Open reclaims of other accounts. */
  otherReclaims: (Reclaim & { claimant: Address })[];
  /** Holder or minter, other than the wallet, whose control prevents a reclaim. */
  resistedBy: Address | undefined;
}

/** DID to which a wallet is related. */
export interface MyDid {
  did: string;
  /** The wallet's own control of the DID. */
  control: AccountControl;
  /** Other accounts that issuers attest, and the parties of its challenges. */
  others: AccountControl[];
  /** Other accounts that wait for control or are blocked. */
  waiting: Address[];
  challenges: Account["challenges"];
  /** Records, highest major first. */
  records: MyRecord[];
}

/** Maximum number of DIDs, and of other accounts per DID, to read from the chain. */
const MAX_DIDS = 50;
const MAX_OTHERS = 8;

/**
 * Reads the chain's state of a wallet's DIDs. `account` is the index's data; without it only the records that the
 * wallet holds are found. `results` are the index's records of the wallet.
 *
 * @throws RpcUnavailableError or RpcFailedError.
 */
export async function readMyDids(
  client: AppRegistryClient,
  wallet: Address,
  account: Account | undefined,
  results: readonly SearchResult[] = [],
): Promise<MyDid[]> {
  const places = new Map<string, Place>();
  const add = (place: Place) => places.set(`${place.did} ${place.major}`, place);
  for await (const { did, versionMajor: major } of client.listByOwner({ owner: wallet })) add({ did, major });
  for (const { did, major, name, tokenId } of account?.records ?? []) {
    const claimants = account?.reclaims.filter((one) => one.tokenId === tokenId).map((one) => one.claimant);
    add({ did, major, name: name ?? undefined, claimants });
  }
  const dids = [...new Set([...places.values()].map(({ did }) => did))].slice(0, MAX_DIDS);
  const found = await Promise.all(
    dids.map(async (did): Promise<MyDid> => {
      const challenges = (account?.challenges ?? []).filter((challenge) => challenge.did === did);
      const attested = (account?.controllers ?? []).filter((other) => other.did === did).slice(0, MAX_OTHERS);
      const others = new Set([
        ...attested.map((other) => other.account),
        ...challenges.flatMap(({ challenger, incumbent }) => [challenger, incumbent]),
      ]);
      others.delete(wallet);
      const [control, ...rest] = await Promise.all([
        readAccountControl(client, { did, account: wallet }),
        ...[...others].map((other) => readAccountControl(client, { did, account: other })),
      ]);
      const records = await Promise.all(
        [...places.values()]
          .filter((place) => place.did === did)
          .map(async (place) => {
            const record = await readRecord(client, wallet, place);
            const found = results.find(({ did, major }) => did === place.did && major === place.major);
            return { ...record, facts: found?.facts, live: found?.live };
          }),
      );
      return {
        did,
        control,
        others: rest,
        waiting: waitingFor(did, account).filter((one) => !isAddressEqual(one, wallet)),
        challenges,
        records: records.toSorted((one, other) => other.summary.versionMajor - one.summary.versionMajor),
      };
    }),
  );
  // First what the wallet does not control now: it needs attention.
  return found
    .filter((my) => isRelated(my, wallet))
    .toSorted((a, b) => Number(a.control.controller.controls) - Number(b.control.controller.controls));
}

interface Place {
  did: string;
  major: number;
  name?: string | undefined;
  /** Accounts that opened a reclaim, according to the index. */
  claimants?: Address[] | undefined;
}

function waitingFor(did: string, account: Account | undefined): Address[] {
  const found = [...(account?.newcomers ?? []), ...(account?.blocks ?? [])];
  return [...new Set(found.filter((one) => one.did === did).map((one) => one.account))];
}

/**
 * Returns true if the wallet is still related to a DID: it controls the DID or waits for control, or it holds a record or
 * has a minter's part in one.
 */
const isRelated = ({ control: { controller }, records }: MyDid, wallet: Address): boolean =>
  controller.attested ||
  controller.inCharge ||
  records.some(
    ({ summary, hasMinterLost }) => summary.owner === wallet || (summary.minter === wallet && !hasMinterLost),
  );

async function readRecord(
  client: AppRegistryClient,
  wallet: Address,
  { did, major, name, claimants = [] }: Place,
): Promise<Omit<MyRecord, "facts" | "live">> {
  const [summary, hasMinterLost] = await Promise.all([
    client.getAppSummary({ did, major }),
    client.hasMinterLost({ did, major }),
  ]);
  const others = claimants.filter((claimant) => !isAddressEqual(claimant, wallet));
  // The minter does not resist the holder's own reclaim.
  const isMinterLeft = !hasMinterLost && !isAddressEqual(summary.owner, wallet);
  const publishers = [...new Set([summary.owner, ...(isMinterLeft ? [summary.minter] : [])])].filter(
    (one) => !isAddressEqual(one, wallet),
  );
  const [reclaim, found, resisting] = await Promise.all([
    client.getReclaim({ did, major, claimant: wallet }),
    Promise.all(others.map((claimant) => client.getReclaim({ did, major, claimant }))),
    Promise.all(publishers.map((controller) => client.resistsReclaim({ did, controller }))),
  ]);
  const otherReclaims = others.flatMap((claimant, place) => {
    const open = found[place];
    return open === undefined ? [] : [{ claimant, ...open }];
  });
  const resistedBy = publishers.find((_, place) => resisting[place]);
  return { summary, name, hasMinterLost, reclaim, otherReclaims, resistedBy };
}
