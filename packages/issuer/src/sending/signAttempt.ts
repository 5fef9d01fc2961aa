import { keccak256, type TransactionSerializable } from "viem";
import type { Fees, IssuerTransaction, SignedAttempt } from "./issuerTransaction.ts";
import type { SendingContext } from "./sendingContext.ts";

/** Signs a transaction at a price. */
export async function signAttempt(
  { account, chainId }: SendingContext,
  { nonce, to, data, gas }: Pick<IssuerTransaction, "nonce" | "to" | "data" | "gas">,
  fees: Fees,
): Promise<SignedAttempt> {
  const { type, maxFeePerGas, maxPriorityFeePerGas } = fees;
  const common = { chainId, nonce, to, data, gas, value: 0n };
  const transaction: TransactionSerializable =
    type === "legacy"
      ? { ...common, type, gasPrice: maxFeePerGas }
      : { ...common, type, maxFeePerGas, maxPriorityFeePerGas };
  const serialized = await account.signTransaction(transaction);
  const hash = keccak256(serialized);
  return { type, maxFeePerGas, maxPriorityFeePerGas, hash, serialized, signedAt: Date.now() };
}
