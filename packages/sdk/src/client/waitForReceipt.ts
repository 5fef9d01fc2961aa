import type { Hash, TransactionReceipt } from "viem";
import { call, getTransaction, waitForTransactionReceipt } from "viem/actions";
import { toAppRegistryError } from "../errors/toAppRegistryError.ts";
import { TransactionRevertedError } from "../errors/walletErrors.ts";
import { method } from "./calls.ts";
import type { ClientContext } from "./context.ts";

export type WaitForReceiptParameters = {
  hash: Hash;
  /** Confirmations to wait for, including the transaction's own block. Default 1. */
  confirmations?: number | undefined;
  /** Time limit in milliseconds. Default 120,000. */
  timeoutMs?: number | undefined;
};

/**
 * Waits until a transaction is confirmed.
 *
 * @throws {TransactionRevertedError} when it reverted. The `cause` is the reason, if the chain gives one.
 * @throws {ReceiptTimeoutError} when it is not confirmed in time. It may still be confirmed later.
 * @example
 * const hash = await client.updateStatus({ did, major: 1, status: 1 });
 * const { status } = await client.waitForReceipt({ hash });
 * status; // "success"
 */
export const waitForReceipt = method(
  "hash confirmations? timeoutMs?",
  async (
    context: ClientContext,
    { hash, confirmations = 1, timeoutMs = 120_000 }: WaitForReceiptParameters,
  ): Promise<TransactionReceipt> => {
    let receipt: TransactionReceipt;
    try {
      receipt = await waitForTransactionReceipt(context.publicClient, {
        hash,
        confirmations,
        timeout: timeoutMs,
      });
    } catch (error) {
      throw toAppRegistryError(error);
    }
    if (receipt.status === "success") return receipt;
    throw new TransactionRevertedError(receipt.transactionHash, await revertReason(context, receipt));
  },
);

/**
 * Returns the reason of a revert, which receipts do not have. Replays the transaction on its block. Returns `undefined`
 * if the replay succeeds, because other transactions of that block may have caused the revert.
 */
async function revertReason({ publicClient }: ClientContext, receipt: TransactionReceipt): Promise<unknown> {
  try {
    const { from, to, input, value, gas } = await getTransaction(publicClient, {
      hash: receipt.transactionHash,
    });
    await call(publicClient, {
      account: from,
      to,
      data: input,
      value,
      gas,
      blockNumber: receipt.blockNumber,
    });
    return undefined;
  } catch (error) {
    return toAppRegistryError(error);
  }
}
