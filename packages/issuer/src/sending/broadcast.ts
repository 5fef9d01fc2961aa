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

/** Signs a transaction with given fees. */
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
 * Result of sending a transaction to a node. `unknown`: the node may have it. The transaction then counts as sent until
 * the chain shows otherwise.
 */
export type Broadcast =
  | { result: "taken" | "unknown" }
  | { result: "nonce-used" | "underpriced" | "out-of-funds" | "refused"; cause: unknown };

/** Patterns of the error messages of nodes. JSON-RPC has no error codes for these cases. */
const errorPatterns = [
  ["taken", /already known|already imported|known transaction|already in (the )?mempool/i],
  ["nonce-used", /nonce (is )?too low|nonce has already been used|nonce.*(lower|expected)|old nonce/i],
  ["underpriced", /underpriced|replacement/i],
  ["out-of-funds", /insufficient funds|enough funds|insufficient balance/i],
] as const;

const connectionErrors = [HttpRequestError, WebSocketRequestError, SocketClosedError, TimeoutError];

/** Sends a signed transaction to the node. Safe to repeat. */
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
    // Check first, because a node may accept a transaction and return an error. Sending another would pay twice.
    const known = await isKnown(client, hash).catch(() => undefined);
    if (known === undefined) return { result: "unknown" };
    if (known) return { result: "taken" };
    const result =
      errorPatterns.find(([, wording]) => wording.test(collectMessages(error)))?.[0] ?? "refused";
    return result === "taken" ? { result } : { result, cause: error };
  }
}

/** Returns true if the node has a transaction, mined or pending. */
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
 * Finds the mined attempt of a transaction. Accepts a receipt only if it is that of the attempt and the nonce is used,
 * because some nodes return the receipt of another transaction.
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

/** Reads the number of used nonces, and the number including the node's pending transactions. */
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

/** Reads the nonces of pending transactions that are not in the store. They are from a database that was lost. */
export async function readUnknownNonces(context: SendingContext): Promise<number[]> {
  // Read the store last: a transaction is stored before it is sent, so a new one can't appear unknown.
  const { used, pending } = await readNonceCounts(context);
  if (pending === used) return [];
  const known = new Set(await context.store.listNonces(used, pending));
  return Array.from({ length: pending - used }, (_, index) => used + index).filter(
    (nonce) => !known.has(nonce),
  );
}
