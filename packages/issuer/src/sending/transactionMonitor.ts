import { getBlockNumber, getTransactionCount } from "viem/actions";
import { broadcast, findMined, isKnown, readNonceCounts, signAttempt } from "./broadcast.ts";
import { capFees, readMarketFees, replacementFees } from "./fees.ts";
import { type IssuerTransaction, lastAttempt } from "./issuerTransaction.ts";
import type { SendingContext } from "./sendingContext.ts";
import { spendingCapWait } from "./spendingCap.ts";

/** Blocks after which no reorganisation frees a used nonce. */
const FINALITY_DEPTH = 12n;

/** How long a mined transaction is remembered, so that a request that began earlier finds it. Milliseconds. */
const MINED_RETENTION_MS = 3_600_000;

/**
 * Checks an issuer's open transactions once: records which were mined, sends again what the node forgot, and replaces
 * stuck ones by the same call at a higher price. Any number of processes may do so at the same time.
 */
export async function monitorTransactions(context: SendingContext): Promise<void> {
  const { store } = context;
  const open = (await store.list()).filter(({ mined }) => !mined);
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
 * Sends an open transaction to the node again, but not one that is being sent right now, nor one that the node has since
 * refused: its call may already be sent with another nonce.
 */
async function sendAgain(context: SendingContext, transaction: IssuerTransaction): Promise<void> {
  const { store, publicClient, onEvent } = context;
  await store.exclusively(async () => {
    const { hash } = lastAttempt(transaction);
    const current = await store.find(transaction.key);
    if (!current || current.mined || lastAttempt(current).hash !== hash) return;
    if (await isKnown(publicClient, hash)) return;
    const { result } = await broadcast(publicClient, lastAttempt(current));
    if (result === "taken") onEvent({ event: "transaction sent again", nonce: current.nonce, hash });
  });
}

/** Whether the chain has finally used the nonce for none of the attempts. */
async function isLost({ publicClient, issuer: address }: SendingContext, transaction: IssuerTransaction) {
  const head = await getBlockNumber(publicClient, { cacheTime: 0 });
  if (head < FINALITY_DEPTH) return false;
  const used = await getTransactionCount(publicClient, { address, blockNumber: head - FINALITY_DEPTH });
  if (used <= transaction.nonce) return false;
  const known = await Promise.all(transaction.attempts.map(({ hash }) => isKnown(publicClient, hash)));
  return !known.some(Boolean);
}

/** Signs an open transaction again, with fees that the node accepts as a replacement. */
async function bumpTransactionFee(context: SendingContext, { nonce }: IssuerTransaction): Promise<void> {
  const { store, publicClient, maxFeePerGas: cap, spendingCap, repriceAfter, onEvent } = context;
  const market = await readMarketFees(publicClient);
  await store.exclusively(async () => {
    // Another process may have replaced it, or seen it mined, in the meantime.
    const transactions = await store.list();
    const current = transactions.find((transaction) => transaction.nonce === nonce && !transaction.mined);
    if (!current) return;
    const previous = lastAttempt(current);
    if (Date.now() - previous.signedAt < repriceAfter) return;
    const fees = replacementFees(previous, capFees(market, cap), cap);
    const { hash: replaces } = previous;
    const cost = fees ? current.gas * (fees.maxFeePerGas - previous.maxFeePerGas) : 0n;
    const overCap =
      spendingCap !== undefined && spendingCapWait(transactions, { cost, cap: spendingCap }) > 0;
    if (!fees || overCap) {
      const maxFeePerGas = String(previous.maxFeePerGas);
      onEvent({ event: "transaction stuck at a cap", nonce, hash: replaces, maxFeePerGas });
      return;
    }
    const attempt = await signAttempt(context, current, fees);
    await store.addAttempt(nonce, attempt);
    await broadcast(publicClient, attempt);
    const maxFeePerGas = String(fees.maxFeePerGas);
    onEvent({ event: "transaction repriced", nonce, hash: attempt.hash, replaces, maxFeePerGas });
  });
}
