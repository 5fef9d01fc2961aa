import { type Address, formatUnits } from "viem";
import { estimateContractGas, getGasPrice } from "viem/actions";
import { checkArguments } from "../arguments.ts";
import { defaultCurrency } from "../client/calls.ts";
import type { PreparedCall } from "../client/context.ts";
import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import { explainNotRegistered } from "../client/notRegistered.ts";
import { toAppRegistryError } from "../errors/toAppRegistryError.ts";

/** Cost of a call at the current gas price. */
export interface CallCost {
  /** Gas limit estimate, in gas units. */
  gas: bigint;
  /** Gas price, in wei per gas unit. */
  gasPrice: bigint;
}

/**
 * Simulates a call by an account and estimates its current cost.
 *
 * @throws {ContractRevertError} with the reason, when the contract would refuse.
 * @example
 * const call = client.prepareUpdateStatus({ did, major: 1, status: 1 });
 * const { gas } = await estimateCall(client, call, controller);
 * gas > 21_000n; // true
 */
export async function estimateCall(
  client: AppRegistryClient,
  call: PreparedCall,
  account: Address,
): Promise<CallCost> {
  checkArguments("client account", { client, account });
  checkArguments("address args", call);
  try {
    const [gas, gasPrice] = await Promise.all([
      estimateContractGas(client.publicClient, { ...call, account }),
      getGasPrice(client.publicClient),
    ]);
    return { gas, gasPrice };
  } catch (error) {
    throw await explainNotRegistered(client, call.args, toAppRegistryError(error));
  }
}

/**
 * Formats the cost of a call, such as `about 51,204 gas, 0.00008193 ETH`.
 *
 * @example
 * describeCost(client, { gas: 50_000n, gasPrice: 10n ** 9n }); // "about 50,000 gas, 0.00005 ETH"
 */
export function describeCost(client: AppRegistryClient, cost: CallCost): string {
  checkArguments("client", { client });
  checkArguments("gas gasPrice", cost);
  const { gas, gasPrice } = cost;
  const currency = client.publicClient.chain?.nativeCurrency ?? defaultCurrency;
  return `about ${gas.toLocaleString("en")} gas, ${formatFee(gas * gasPrice, currency)}`;
}

/**
 * Formats an amount of wei with four significant digits.
 *
 * @example
 * formatFee(641_415_347_351_592n); // "0.0006414 ETH"
 */
export function formatFee(wei: bigint, { symbol, decimals } = defaultCurrency): string {
  checkArguments("wei", { wei });
  const amount = Number(formatUnits(wei, decimals));
  return `${amount.toLocaleString("en", { maximumSignificantDigits: 4, maximumFractionDigits: 18 })} ${symbol}`;
}
