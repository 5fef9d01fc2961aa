import type { Address } from "viem";
import type { Account } from "../../lib/server/readAccount.ts";

/** Fetches what the search index knows of a wallet; `null` while it doesn't answer. */
export async function fetchAccount(wallet: Address): Promise<Account | null> {
  const response = await fetch(`/api/accounts/${wallet}`).catch(() => undefined);
  return response?.ok ? ((await response.json()) as Account) : null;
}
