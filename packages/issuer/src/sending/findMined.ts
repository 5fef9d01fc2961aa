import {
  type Hash,
  isAddressEqual,
  type PublicClient,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from "viem";
import { getTransactionCount, getTransactionReceipt } from "viem/actions";
import type { IssuerTransaction, MinedTransaction } from "./issuerTransaction.ts";
import type { SendingContext } from "./sendingContext.ts";

/**
 * Which of a transaction's attempts was mined. A receipt counts only if it belongs to that attempt and the chain has used
 * the nonce, because some nodes answer with another transaction's receipt.
 */
export async function findMined(
  { publicClient, issuer }: SendingContext,
  { attempts, nonce }: IssuerTransaction,
): Promise<MinedTransaction | undefined> {
  for (const { hash } of attempts.toReversed()) {
    const receipt = await readReceipt(publicClient, hash);
    if (receipt?.transactionHash !== hash || !isAddressEqual(receipt.from, issuer)) continue;
    const used = await getTransactionCount(publicClient, { address: issuer, blockTag: "latest" });
    if (used <= nonce) continue;
    return { hash, blockNumber: receipt.blockNumber, reverted: receipt.status === "reverted" };
  }
  return undefined;
}

async function readReceipt(client: PublicClient, hash: Hash): Promise<TransactionReceipt | undefined> {
  try {
    return await getTransactionReceipt(client, { hash });
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined;
    throw error;
  }
}
