import type { Address } from "viem";
import { estimateContractGas, estimateFeesPerGas, getBalance } from "viem/actions";
import { type Funds, InsufficientFundsError } from "../errors/walletErrors.ts";
import type { ClientContext, PreparedCall } from "./context.ts";

/** The currency if the client names no chain. */
export const defaultCurrency = { symbol: "ETH", decimals: 18 };

/**
 * What an account lacks to send a call, judged as a node does: the balance must cover the gas limit at the highest fee
 * per gas that the transaction allows. Undefined if it does.
 *
 * @param gas The gas limit, if known.
 * @throws What viem throws when the chain doesn't answer, or the contract would refuse.
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
