import { toAppRegistryError } from "@app-registry/sdk";
import { collectMessages } from "@app-registry/sdk/internal";
import {
  type Address,
  BaseError,
  type Hash,
  HttpRequestError,
  isAddressEqual,
  keccak256,
  type LocalAccount,
  type PublicClient,
  SocketClosedError,
  TimeoutError,
  TransactionNotFoundError,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  type TransactionSerializable,
  WebSocketRequestError,
} from "viem";
import {
  getBlock,
  getBlockNumber,
  getTransaction,
  getTransactionCount,
  getTransactionReceipt,
  sendRawTransaction,
} from "viem/actions";
import {
  capFees,
  type Fees,
  type IssuerTransaction,
  lastAttempt,
  type MinedTransaction,
  readMarketFees,
  replacementFees,
  type SignedAttempt,
} from "./issuerTransaction.ts";
import { wrapKeyErrors } from "./sendingErrors.ts";
import { isOverCap, type SpendingCaps } from "./spendingCap.ts";
import type { TransactionStore } from "./transactionStore.ts";

/** Events of an issuer for the operator's structured log. Amounts are wei, in decimal. */
export type IssuerEvent =
  | {
      event: "issuer balance low";
      issuer: Address;
      balance: string;
      /** Number of attestations that the balance can pay for at the current price. */
      attestationsLeft: number;
    }
  | { event: "transaction sent again"; nonce: number; hash: Hash }
  | { event: "transaction repriced"; nonce: number; hash: Hash; replaces: Hash; maxFeePerGas: string }
  /** Higher fees would exceed the fee cap or the spending cap. The transaction may still be mined. */
  | { event: "transaction stuck at a cap"; nonce: number; hash: Hash; maxFeePerGas: string }
  /** A transaction that another process sent has used the nonce. */
  | { event: "transaction lost"; nonce: number; hash: Hash };

export type SendingContext = SpendingCaps & {
  account: LocalAccount;
  issuer: Address;
  chainId: number;
  publicClient: PublicClient;
  store: TransactionStore;
  /** Maximum price per gas, in wei. */
  maxFeePerGas: bigint;
  /** Time until an attempt that is not mined is replaced, in milliseconds. */
  repriceAfter: number;
  onEvent: (event: IssuerEvent) => void;
};

/**
 * Returns an identifier of a key on a chain. It includes the genesis block, to distinguish local chains with the same
 * ID.
 * @throws {RpcUnavailableError} if the chain does not respond.
 */
export async function getIssuerScope(
  client: PublicClient,
  chainId: number,
  issuer: Address,
): Promise<string> {
  const genesis = await getBlock(client, { blockNumber: 0n }).catch((error: unknown) => {
    throw toAppRegistryError(error);
  });
  return `eip155:${chainId}:${issuer} ${genesis.hash}`;
}

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
async function isKnown(client: PublicClient, hash: Hash): Promise<boolean> {
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

/** Number of blocks after which a used nonce is final. */
const FINALITY_DEPTH = 12n;

/** Time to keep a mined transaction, in milliseconds, so that a request that started earlier finds it. */
const MINED_RETENTION_MS = 3_600_000;

/**
 * Checks an issuer's open transactions once: records mined ones, resends those that the node dropped, and replaces
 * stuck ones at a higher price. Any number of processes may run it concurrently.
 */
export async function monitorTransactions(context: SendingContext): Promise<void> {
  const { store } = context;
  const open = await store.listOpen();
  if (open.length > 0) {
    const { used } = await readNonceCounts(context);
    for (const transaction of open) await monitorTransaction(context, transaction, used);
  }
  await store.prune(Date.now() - MINED_RETENTION_MS);
}

async function monitorTransaction(
  context: SendingContext,
  transaction: IssuerTransaction,
  used: number,
): Promise<void> {
  const { store, publicClient, repriceAfter, onEvent } = context;
  const { nonce } = transaction;
  const attempt = lastAttempt(transaction);
  if (nonce < used) {
    const mined = await findMined(context, transaction);
    if (mined) await store.settle(nonce, mined);
    else if (await isLost(context, transaction)) {
      await store.remove(nonce);
      onEvent({ event: "transaction lost", nonce, hash: attempt.hash });
    }
    return;
  }
  if (!(await isKnown(publicClient, attempt.hash))) await sendAgain(context, transaction);
  if (Date.now() - attempt.signedAt >= repriceAfter) await bumpTransactionFee(context, transaction);
}

/**
 * Resends an open transaction. Skips one that is being sent, and one that the node has rejected in the meantime, whose
 * call may already be sent with another nonce.
 */
async function sendAgain(context: SendingContext, transaction: IssuerTransaction): Promise<void> {
  const { store, publicClient, onEvent } = context;
  await store.exclusively(async () => {
    const { hash } = lastAttempt(transaction);
    const current = await store.get(transaction.nonce);
    if (!current || current.mined || lastAttempt(current).hash !== hash) return;
    if (await isKnown(publicClient, hash)) return;
    const { result } = await broadcast(publicClient, lastAttempt(current));
    if (result === "taken") onEvent({ event: "transaction sent again", nonce: current.nonce, hash });
  });
}

/** Returns true if the nonce was finally used by a transaction other than the attempts. */
async function isLost({ publicClient, issuer: address }: SendingContext, transaction: IssuerTransaction) {
  const head = await getBlockNumber(publicClient, { cacheTime: 0 });
  if (head < FINALITY_DEPTH) return false;
  const used = await getTransactionCount(publicClient, { address, blockNumber: head - FINALITY_DEPTH });
  if (used <= transaction.nonce) return false;
  const known = await Promise.all(transaction.attempts.map(({ hash }) => isKnown(publicClient, hash)));
  return !known.some(Boolean);
}

/** Replaces an open transaction by one with fees that the node accepts. */
async function bumpTransactionFee(context: SendingContext, { nonce }: IssuerTransaction): Promise<void> {
  const { store, publicClient, maxFeePerGas: cap, repriceAfter, onEvent } = context;
  const market = await readMarketFees(publicClient);
  await store.exclusively(async () => {
    // Read the transaction again, because another process may have replaced it or recorded it as mined.
    const current = await store.get(nonce);
    if (!current || current.mined) return;
    const previous = lastAttempt(current);
    if (Date.now() - previous.signedAt < repriceAfter) return;
    const fees = replacementFees(previous, capFees(market, cap), cap);
    const { hash: replaces } = previous;
    const cost = fees ? current.gas * (fees.maxFeePerGas - previous.maxFeePerGas) : 0n;
    if (!fees || (await isOverCap(context, cost))) {
      const maxFeePerGas = String(previous.maxFeePerGas);
      onEvent({ event: "transaction stuck at a cap", nonce, hash: replaces, maxFeePerGas });
      return;
    }
    const attempt = await signAttempt(context, current, fees);
    await store.addAttempt(nonce, attempt, current.gas * fees.maxFeePerGas);
    await broadcast(publicClient, attempt);
    const maxFeePerGas = String(fees.maxFeePerGas);
    onEvent({ event: "transaction repriced", nonce, hash: attempt.hash, replaces, maxFeePerGas });
  });
}
