import {
  type Hash,
  type LocalAccount,
  type PublicClient,
  TransactionNotFoundError,
  type TransactionReceipt,
} from "viem";
import type { AppRegistryClient, PreparedCall } from "../client/index.ts";
import { ReceiptTimeoutError, RpcUnavailableError, TransactionRevertedError } from "../errors/index.ts";
import { createTransactionQueue } from "./transactionQueue.ts";

type Sent =
  | { status: "mined"; hash: Hash; receipt: TransactionReceipt }
  | { status: "pending"; hash: Hash }
  | { status: "reverted"; hash: Hash; reason: string };

/** Sends a call and waits for its receipt. While a call of the same key has no receipt, none is sent again. */
export type Sender = (key: string, call: PreparedCall) => Promise<Sent>;

export function createSender(parameters: {
  client: AppRegistryClient;
  publicClient: PublicClient;
  account: LocalAccount;
  chainId: number;
  /** Milliseconds. */
  receiptTimeout: number;
}): Sender {
  const { client, publicClient, receiptTimeout } = parameters;
  const queue = createTransactionQueue(parameters);
  const open = new Map<string, Hash>();

  const forget = (key: string, hash: Hash) => {
    open.delete(key);
    queue.settle(hash);
  };

  return async (key, call) => {
    const hash = open.get(key) ?? (await queue.send(call));
    open.set(key, hash);
    try {
      const receipt = await client.waitForReceipt({ hash, timeoutMs: receiptTimeout });
      forget(key, hash);
      return { status: "mined", hash: receipt.transactionHash, receipt };
    } catch (error) {
      if (error instanceof TransactionRevertedError) {
        forget(key, hash);
        return { status: "reverted", hash, reason: error.shortMessage };
      }
      if (error instanceof ReceiptTimeoutError && (await isDropped(publicClient, hash))) forget(key, hash);
      // Sent is sent: whatever keeps us from the receipt, the caller is told the hash.
      if (error instanceof ReceiptTimeoutError || error instanceof RpcUnavailableError)
        return { status: "pending", hash };
      throw error;
    }
  };
}

/** Whether the node knows nothing of a transaction any more, so that sending anew is right. */
async function isDropped(publicClient: PublicClient, hash: Hash): Promise<boolean> {
  return publicClient.getTransaction({ hash }).then(
    () => false,
    (error: unknown) => error instanceof TransactionNotFoundError,
  );
}
