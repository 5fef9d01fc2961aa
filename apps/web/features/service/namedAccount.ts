import "server-only";
import type { Address } from "viem";
import { readEnsName } from "../../lib/server/ensName.ts";
import { RecentAnswers } from "../../lib/server/RecentAnswers.ts";
import { registry } from "../../lib/server/registry.ts";

/** An account, with its ENS name where one is known. */
export type Account = { address: Address; ensName?: string };

const HOUR = 3_600_000;

const names = new RecentAnswers<string | undefined>(1_000);

/**
 * Looks an account's ENS name up on Ethereum, when an RPC for it is configured (`RPC_URL_1`). An RPC that does
 * not answer means no name.
 */
export async function namedAccount(address: Address): Promise<Account> {
  const rpcUrl = process.env.RPC_URL_1;
  if (rpcUrl === undefined || rpcUrl === "") return { address };
  const ensName = await names
    .get(
      address,
      () => HOUR,
      () => readEnsName({ rpcUrl, address, guardedFetch: registry().guardedFetch }),
    )
    .catch(() => undefined);
  return ensName === undefined ? { address } : { address, ensName };
}
