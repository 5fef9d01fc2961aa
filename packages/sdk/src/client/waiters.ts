import type { Hash, TransactionReceipt } from "viem";
import { call, getTransaction, waitForTransactionReceipt } from "viem/actions";
import * as z from "zod/mini";
import { AppRegistryError } from "../errors/appRegistryError.ts";
import { IndexTimeoutError, NoServiceError } from "../errors/networkErrors.ts";
import { toAppRegistryError } from "../errors/toAppRegistryError.ts";
import { TransactionRevertedError } from "../errors/walletErrors.ts";
import { requestJson } from "../requestJson.ts";
import { countSchema } from "../schemas.ts";
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
 * @throws {TransactionRevertedError} when it reverted, or was canceled or replaced by another one. The `cause` is the
 *   reason, if the chain gives one.
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
    let isReplaced = false;
    try {
      receipt = await waitForTransactionReceipt(context.publicClient, {
        hash,
        confirmations,
        timeout: timeoutMs,
        onReplaced: ({ reason }) => {
          isReplaced = reason !== "repriced";
        },
      });
    } catch (error) {
      throw toAppRegistryError(error);
    }
    if (isReplaced) {
      const reason = "Another transaction with the same nonce was mined instead.";
      throw new TransactionRevertedError(hash, new AppRegistryError(reason));
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

/** Block to wait for, with the web service and the time limit. */
export type WaitUntilIndexedParameters = {
  /** Block to wait for, such as that of a receipt. */
  blockNumber: bigint;
  /** Origin of a registry web service. Default: the one that `connectAppRegistry` connected the client to. */
  baseUrl?: string | undefined;
  /** Time limit in milliseconds. Default 60,000. */
  timeoutMs?: number | undefined;
};

const pageSchema = z.object({ source: z.enum(["index", "chain"]), block: countSchema });

/** Delay between two requests, in milliseconds. The index is about a second behind the chain. */
const interval = 250;

/**
 * Waits until the search index has reached a block, so that a search finds the changes of a transaction in it. Ignores
 * results from the chain, which the service returns while its index is down.
 *
 * @throws {IndexTimeoutError} when the index does not reach the block in time.
 * @throws {NoServiceError} when there is no `baseUrl`.
 * @example
 * const hash = await client.updateStatus({ did, major: 1, status: 1 });
 * const { blockNumber } = await client.waitForReceipt({ hash });
 * await client.waitUntilIndexed({ blockNumber });
 */
export const waitUntilIndexed = method(
  "blockNumber baseUrl? timeoutMs?",
  async (
    context: ClientContext,
    { blockNumber, baseUrl = context.baseUrl, timeoutMs = 60_000 }: WaitUntilIndexedParameters,
  ): Promise<void> => {
    if (baseUrl === undefined) throw new NoServiceError();
    const deadline = Date.now() + timeoutMs;
    let reached: bigint | undefined;
    let failure: unknown;
    do {
      const left = Math.max(1, deadline - Date.now());
      try {
        const page = await requestJson({ baseUrl, timeoutMs: left }, "/api/search?limit=1", pageSchema);
        if (page.source === "index") reached = BigInt(page.block);
        if (reached !== undefined && reached >= blockNumber) return;
      } catch (error) {
        // Retry: a service that is restarting or limits requests may respond before time is up.
        if (error instanceof AppRegistryError && !error.retryable) throw error;
        failure = error;
      }
      await new Promise((resolve) =>
        setTimeout(resolve, Math.min(interval, Math.max(0, deadline - Date.now()))),
      );
    } while (Date.now() < deadline);
    throw new IndexTimeoutError(blockNumber, reached, failure);
  },
);
