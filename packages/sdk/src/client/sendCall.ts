import type { Account, Address, Hash } from "viem";
import { getChainId, simulateContract, writeContract } from "viem/actions";
import { toAppRegistryError } from "../errors/toAppRegistryError.ts";
import { NoAccountError, WrongChainError } from "../errors/walletErrors.ts";
import type { ClientContext, PreparedCall } from "./context.ts";

/** Every write takes these beside its own arguments. */
export type SendOptions = {
  /** Account that sends; default the wallet's own. */
  account?: Account | Address | undefined;
};

/**
 * Simulates a call at the latest block, so that a refusal costs nothing and reads as the contract's own error,
 * then sends it. Returns the transaction hash without waiting.
 */
export async function sendCall(
  context: ClientContext,
  call: PreparedCall,
  { account: given }: SendOptions = {},
): Promise<Hash> {
  const { walletClient, publicClient, deployment } = context;
  const account = given ?? walletClient?.account;
  if (!walletClient || !account) throw new NoAccountError();
  try {
    const chainId = await getChainId(walletClient);
    if (chainId !== deployment.chainId) throw new WrongChainError(deployment.chainId, chainId);
    await simulateContract(publicClient, { ...call, account });
    return await writeContract(walletClient, { ...call, account, chain: null });
  } catch (error) {
    throw toAppRegistryError(error);
  }
}
