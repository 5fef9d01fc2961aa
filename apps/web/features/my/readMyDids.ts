import type { AppRegistryClient, AppSummary, Reclaim } from "@app-registry/sdk";
import { type Address, isAddressEqual } from "viem";
import type { Account } from "../../lib/server/readAccount.ts";
import type { Newcomer } from "../control/newcomer.ts";
import { type AccountControl, readAccountControl } from "../control/readAccountControl.ts";

/** A record of a DID, as the chain has it. */
export interface MyRecord {
  summary: AppSummary;
  /** As the index has it. */
  name: string | undefined;
  ownerCounts: boolean;
  minterCounts: boolean;
  /** The wallet's open reclaim. */
  reclaim: Reclaim | undefined;
  /** The holder or minter that keeps the wallet's reclaim from being finished. */
  contestedBy: Address | undefined;
}

/** A DID that a wallet has to do with. */
export interface MyDid {
  did: string;
  /** The wallet's own control of it. */
  control: AccountControl;
  /** Other accounts that issuers attest, and those of its challenges. */
  others: AccountControl[];
  newcomers: Newcomer[];
  challenges: Account["challenges"];
  /** Highest major first. */
  records: MyRecord[];
}

/** The most DIDs, and other accounts of a DID, that the chain is asked about. */
const MAX_DIDS = 50;
const MAX_OTHERS = 8;

/**
 * Reads what the chain says now of the DIDs of a wallet. `account` is what the index knows; without it only the records
 * that the wallet holds are known.
 *
 * @throws RpcUnavailableError or RpcFailedError.
 */
export async function readMyDids(
  client: AppRegistryClient,
  wallet: Address,
  account: Account | undefined,
): Promise<MyDid[]> {
  const places = new Map<string, { did: string; major: number; name: string | undefined }>();
  const add = (did: string, major: number, name?: string) =>
    places.set(`${did} ${major}`, { did, major, name });
  for await (const { did, versionMajor } of client.listByOwner({ owner: wallet })) add(did, versionMajor);
  for (const { did, major, name } of account?.records ?? []) add(did, major, name ?? undefined);
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
          .map((place) => readRecord(client, wallet, place)),
      );
      return {
        did,
        control,
        others: rest,
        newcomers: (account?.newcomers ?? []).filter(
          (newcomer) => newcomer.did === did && !isAddressEqual(newcomer.account, wallet),
        ),
        challenges,
        records: records.toSorted((one, other) => other.summary.versionMajor - one.summary.versionMajor),
      };
    }),
  );
  return found.filter((my) => concerns(my, wallet));
}

/** Whether the wallet still has to do with a DID: it holds, minted, controls, or waits. */
const concerns = ({ control: { controller }, records }: MyDid, wallet: Address): boolean =>
  controller.attested ||
  controller.late ||
  records.some(({ summary }) => summary.owner === wallet || summary.minter === wallet);

async function readRecord(
  client: AppRegistryClient,
  wallet: Address,
  { did, major, name }: { did: string; major: number; name: string | undefined },
): Promise<MyRecord> {
  const summary = await client.getAppSummary({ did, major });
  const { owner, minter } = summary;
  const [ownerCounts, minterCounts, reclaim] = await Promise.all([
    client.checkDid({ did, controller: owner }),
    client.checkDid({ did, controller: minter }),
    client.getReclaim({ did, major, claimant: wallet }),
  ]);
  const incumbents = [...new Set([owner, minter])].filter((one) => !isAddressEqual(one, wallet));
  const returned = await Promise.all(
    incumbents.map(async (controller) => {
      if (reclaim === undefined) return false;
      const [{ attested, objected }, counted] = await Promise.all([
        client.getController({ did, controller }),
        client.countedSince({ did, controller, since: reclaim.openedAt }),
      ]);
      return (attested && !objected) || counted;
    }),
  );
  const contestedBy = incumbents.find((_, place) => returned[place]);
  return { summary, name, ownerCounts, minterCounts, reclaim, contestedBy };
}
