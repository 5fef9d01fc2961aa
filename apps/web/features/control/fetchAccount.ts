import type { Address } from "viem";
import type { Account } from "../../lib/server/readAccount.ts";

/** Fetches the search index's data about a wallet, or `null` if the index is unavailable. */
export async function fetchAccount(wallet: Address): Promise<Account | null> {
  const response = await fetch(`/api/accounts/${wallet}`).catch(() => undefined);
  return response?.ok ? ((await response.json()) as Account) : null;
}
