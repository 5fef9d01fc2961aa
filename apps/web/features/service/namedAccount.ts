import "server-only";
import { type Address, createPublicClient, http } from "viem";
import { mainnet } from "viem/chains";
import { RecentAnswers } from "../../lib/server/RecentAnswers.ts";

/** An account, with its ENS name where one is known. */
export type Account = { address: Address; ensName?: string };

const HOUR = 3_600_000;
const ENS_TIMEOUT = 2_000;

const names = new RecentAnswers<string | undefined>(1_000);

/**
 * Looks an account's ENS name up on Ethereum, when an RPC for it is configured (`RPC_URL_1`). A name counts only
 * when it resolves back to the address. An RPC that does not answer means no name.
 */
export async function namedAccount(address: Address): Promise<Account> {
  const rpcUrl = process.env.RPC_URL_1;
  if (rpcUrl === undefined || rpcUrl === "") return { address };
  const ensName = await names
    .get(
      address,
      () => HOUR,
      () => lookUp(rpcUrl, address),
    )
    .catch(() => undefined);
  return ensName === undefined ? { address } : { address, ensName };
}

async function lookUp(rpcUrl: string, address: Address): Promise<string | undefined> {
  const transport = http(rpcUrl, { timeout: ENS_TIMEOUT, retryCount: 0 });
  const client = createPublicClient({ chain: mainnet, transport });
  // The universal resolver checks the forward resolution too.
  return (await client.getEnsName({ address })) ?? undefined;
}
