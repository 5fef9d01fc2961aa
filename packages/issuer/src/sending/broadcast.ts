import {
  BaseError,
  type Hash,
  HttpRequestError,
  type PublicClient,
  SocketClosedError,
  TimeoutError,
  TransactionNotFoundError,
  WebSocketRequestError,
} from "viem";
import { getTransaction, sendRawTransaction } from "viem/actions";
import type { SignedAttempt } from "./issuerTransaction.ts";

/**
 * What is known after a transaction was sent to a node. `unknown`: the node may have it or not; it counts as sent until
 * the chain says otherwise.
 */
export type Broadcast =
  | { result: "taken" | "unknown" }
  | { result: "nonce-used" | "underpriced" | "out-of-funds" | "refused"; cause: unknown };

/** How nodes word a refusal; JSON-RPC has no codes for them. */
const wordings = [
  ["taken", /already known|already imported|known transaction|already in (the )?mempool/i],
  ["nonce-used", /nonce (is )?too low|nonce has already been used|nonce.*(lower|expected)|old nonce/i],
  ["underpriced", /underpriced|replacement/i],
  ["out-of-funds", /insufficient funds|enough funds|insufficient balance/i],
] as const;

const unanswered = [HttpRequestError, WebSocketRequestError, SocketClosedError, TimeoutError];

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
    if (error.walk((cause) => unanswered.some((type) => cause instanceof type))) return { result: "unknown" };
    // A node that accepted the transaction but answers an error must not make us send another one.
    const known = await isKnown(client, hash).catch(() => undefined);
    if (known === undefined) return { result: "unknown" };
    if (known) return { result: "taken" };
    const result = wordings.find(([, wording]) => wording.test(error.message))?.[0] ?? "refused";
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
