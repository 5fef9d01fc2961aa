import type { Address } from "viem";
import type { Account } from "../../lib/server/accounts/readAccount.ts";

/**
 * Fetches the search index's data about a wallet, or `null` if the index is unavailable.
 *
 * @param minBlock Block of the wallet's last transaction, which the index should have
 */
export async function fetchAccount(wallet: Address, minBlock?: number): Promise<Account | null> {
  const query = minBlock === undefined ? "" : `?minBlock=${minBlock}`;
  const response = await fetch(`/api/accounts/${wallet}${query}`).catch(() => undefined);
  return response?.ok ? ((await response.json()) as Account) : null;
}
