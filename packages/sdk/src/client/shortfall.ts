import type { Address } from "viem";
import { estimateContractGas, estimateFeesPerGas, getBalance } from "viem/actions";
import { type Funds, InsufficientFundsError } from "../errors/walletErrors.ts";
import type { ClientContext, PreparedCall } from "./context.ts";

/** Currency of a client without a chain definition. */
export const defaultCurrency = { symbol: "ETH", decimals: 18 };

/**
 * Returns an error if an account cannot pay for a call, and `undefined` if it can. Decides as a node does: the balance
 * must cover the gas limit at the highest fee per gas that the transaction allows.
 *
 * @param gas Gas limit. Default: an estimate.
 * @throws Errors of viem when the chain does not respond or the contract would refuse.
 */
export async function findInsufficientFunds(
  { publicClient }: Pick<ClientContext, "publicClient">,
  call: PreparedCall,
  account: Address,
  { gas, cause }: { gas?: bigint | undefined; cause?: unknown } = {},
): Promise<InsufficientFundsError | undefined> {
  const [limit, fees, balance] = await Promise.all([
    gas ?? estimateContractGas(publicClient, { ...call, account }),
    estimateFeesPerGas(publicClient),
    getBalance(publicClient, { address: account }),
  ]);
  const needed = limit * (fees.maxFeePerGas ?? fees.gasPrice ?? 0n);
  if (balance >= needed) return undefined;
  const currency = publicClient.chain?.nativeCurrency ?? defaultCurrency;
  return new InsufficientFundsError(cause, { account, balance, needed, currency } satisfies Funds);
}
