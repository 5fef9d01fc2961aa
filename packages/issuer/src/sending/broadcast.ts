import { collectMessages } from "@app-registry/sdk/internal";
import {
  BaseError,
  type Hash,
  HttpRequestError,
  isAddressEqual,
  keccak256,
  type PublicClient,
  SocketClosedError,
  TimeoutError,
  TransactionNotFoundError,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  type TransactionSerializable,
  WebSocketRequestError,
} from "viem";
import { getTransaction, getTransactionCount, getTransactionReceipt, sendRawTransaction } from "viem/actions";
import type { Fees, IssuerTransaction, MinedTransaction, SignedAttempt } from "./issuerTransaction.ts";
import type { SendingContext } from "./sendingContext.ts";
import { wrapKeyErrors } from "./sendingErrors.ts";

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
  const serialized = await wrapKeyErrors(account.signTransaction(transaction));
  const hash = keccak256(serialized);
  return { type, maxFeePerGas, maxPriorityFeePerGas, hash, serialized, signedAt: Date.now() };
}

/**
 * What is known after a transaction was sent to a node. `unknown`: the node may have it or not; it counts as sent until
 * the chain says otherwise.
 */
export type Broadcast =
  | { result: "taken" | "unknown" }
  | { result: "nonce-used" | "underpriced" | "out-of-funds" | "refused"; cause: unknown };

/** How nodes word a refusal; JSON-RPC has no codes for them. */
const errorPatterns = [
  ["taken", /already known|already imported|known transaction|already in (the )?mempool/i],
  ["nonce-used", /nonce (is )?too low|nonce has already been used|nonce.*(lower|expected)|old nonce/i],
  ["underpriced", /underpriced|replacement/i],
  ["out-of-funds", /insufficient funds|enough funds|insufficient balance/i],
] as const;

const connectionErrors = [HttpRequestError, WebSocketRequestError, SocketClosedError, TimeoutError];

/** Sends a signed transaction to the node; safe to repeat. */
export async function broadcast(
  client: PublicClient,
  { hash, serialized }: SignedAttempt,
): Promise<Broadcast> {
  try {
    await sendRawTransaction(client, { serializedTransaction: serialized });
    return { result: "taken" };
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    if (error.walk((cause) => connectionErrors.some((type) => cause instanceof type)))
      return { result: "unknown" };
    // A node that accepted the transaction but answers an error must not make us send another one.
    const known = await isKnown(client, hash).catch(() => undefined);
    if (known === undefined) return { result: "unknown" };
    if (known) return { result: "taken" };
    const result =
      errorPatterns.find(([, wording]) => wording.test(collectMessages(error)))?.[0] ?? "refused";
    return result === "taken" ? { result } : { result, cause: error };
  }
}

/** Whether the node has a transaction, mined or not. */
export async function isKnown(client: PublicClient, hash: Hash): Promise<boolean> {
  try {
    await getTransaction(client, { hash });
    return true;
  } catch (error) {
    if (error instanceof TransactionNotFoundError) return false;
    throw error;
  }
}

/**
 * Which of a transaction's attempts was mined. A receipt counts only when it is that attempt's and the chain has used
 * the nonce: some nodes answer with another one's.
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

/** Nonces that the chain has used, and those that the node holds transactions for beyond them. */
export async function readNonceCounts({
  publicClient,
  issuer: address,
}: SendingContext): Promise<{ used: number; pending: number }> {
  const [used, pending] = await Promise.all([
    getTransactionCount(publicClient, { address, blockTag: "latest" }),
    getTransactionCount(publicClient, { address, blockTag: "pending" }),
  ]);
  return { used, pending: Math.max(used, pending) };
}

/** Nonces of transactions that wait in the node and that the store does not know: an earlier run's, without a database. */
export async function readUnknownNonces(context: SendingContext): Promise<number[]> {
  // The store last: it is written before the node, so nothing that was just sent is taken for unknown.
  const { used, pending } = await readNonceCounts(context);
  if (pending === used) return [];
  const known = new Set((await context.store.list()).map(({ nonce }) => nonce));
  return Array.from({ length: pending - used }, (_, index) => used + index).filter(
    (nonce) => !known.has(nonce),
  );
}
