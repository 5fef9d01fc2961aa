import { setTimeout as sleep } from "node:timers/promises";
import { broadcast, readNonceCounts, readUnknownNonces, signAttempt } from "./broadcast.ts";
import { capFees, readMarketFees, replacementFees } from "./fees.ts";
import type { Fees } from "./issuerTransaction.ts";
import type { SendingContext } from "./sendingContext.ts";
import { IssuerRecoveringError } from "./sendingErrors.ts";
import { isOverCap } from "./spendingCap.ts";

const TRANSFER_GAS = 21_000n;

/**
 * Creates a function that waits until unknown transactions of an earlier run are mined, because until then the chain
 * does not show all attestations. Replaces a stuck transaction by an empty transfer to the issuer itself.
 */
export function createRecovery(
  context: SendingContext,
  { timeout, pollingInterval }: { timeout: number; pollingInterval: number },
): () => Promise<void> {
  let recovered = false;
  let running: Promise<void> | undefined;
  let seen: { until: number; at: number } | undefined;

  const isRecovered = async () => {
    if (!seen) {
      const unknown = await readUnknownNonces(context);
      const last = unknown.at(-1);
      if (last === undefined) return true;
      seen = { until: last + 1, at: Date.now() };
    }
    return (await readNonceCounts(context)).used >= seen.until;
  };

  const recover = async () => {
    for (const deadline = Date.now() + timeout; !(await isRecovered()); ) {
      if (Date.now() > deadline) throw new IssuerRecoveringError();
      if (seen && Date.now() - seen.at > context.repriceAfter) {
        for (const nonce of await readUnknownNonces(context)) await replaceUnknownTransaction(context, nonce);
      }
      await sleep(pollingInterval);
    }
    recovered = true;
  };

  return async () => {
    if (recovered) return;
    running ??= recover().finally(() => {
      running = undefined;
    });
    await running;
  };
}

/**
 * Replaces a transaction with unknown fees: raises the fees until the node accepts. Stops at the spending cap and
 * leaves the transaction to a later call.
 */
async function replaceUnknownTransaction(context: SendingContext, nonce: number): Promise<void> {
  const { store, publicClient, issuer, maxFeePerGas: cap } = context;
  const statements = [{ key: `nonce ${nonce}` }];
  const call = { nonce, statements, to: issuer, data: "0x", gas: TRANSFER_GAS } as const;
  const market = await readMarketFees(publicClient);
  await store.exclusively(async () => {
    let fees: Fees | undefined = capFees(market, cap);
    while (fees) {
      const cost = TRANSFER_GAS * fees.maxFeePerGas;
      if (await isOverCap(context, cost)) return;
      const attempt = await signAttempt(context, call, fees);
      if (!(await store.insert({ ...call, attempts: [attempt], mined: undefined }))) return;
      const { result } = await broadcast(publicClient, attempt);
      if (result === "taken" || result === "unknown") return;
      await store.remove(nonce);
      if (result !== "underpriced") return;
      fees = replacementFees(fees, market, cap);
    }
  });
}
