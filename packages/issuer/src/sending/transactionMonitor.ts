import { getBlockNumber, getTransactionCount } from "viem/actions";
import { broadcast, findMined, isKnown, readNonceCounts, signAttempt } from "./broadcast.ts";
import { capFees, readMarketFees, replacementFees } from "./fees.ts";
import { type IssuerTransaction, lastAttempt } from "./issuerTransaction.ts";
import type { SendingContext } from "./sendingContext.ts";
import { isOverCap } from "./spendingCap.ts";

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
