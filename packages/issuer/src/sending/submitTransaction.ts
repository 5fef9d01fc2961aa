import type { PreparedCall } from "@app-registry/sdk";
import { toAppRegistryError } from "@app-registry/sdk";
import { encodeFunctionData } from "viem";
import { estimateGas } from "viem/actions";
import { broadcast, readNonceCounts, signAttempt } from "./broadcast.ts";
import { capFees } from "./fees.ts";
import type { FundsMonitor } from "./issuerFunds.ts";
import type { Fees, IssuerTransaction } from "./issuerTransaction.ts";
import type { SendingContext } from "./sendingContext.ts";
import { IssuerOutOfFundsError, TransactionRefusedError } from "./sendingErrors.ts";
import type { Spender } from "./spendingCap.ts";

/** How often to replace a nonce that turns out to be used by the next one. */
const MAX_NONCE_ATTEMPTS = 3;

/** A call to attest something. */
export type Submission = {
  /** What it attests. */
  key: string;
  call: PreparedCall;
  /** Block at which it was not attested yet: if a transaction of the same key was mined later, nothing is sent. */
  readAt: bigint;
  spender: Spender;
};

/**
 * Signs, records and sends a call with the next free nonce, one at a time. While any process has an open transaction of
 * the same key, it sends nothing and returns that one.
 * @throws ContractRevertError before anything is sent when the call would revert, RpcUnavailableError when the node
 * does not answer, and the errors of sending.
 */
export async function submitTransaction(
  context: SendingContext,
  funds: FundsMonitor,
  { key, call, readAt, spender }: Submission,
): Promise<IssuerTransaction> {
  const { store, publicClient, issuer } = context;
  const { address: to, abi, functionName, args } = call;
  const data = encodeFunctionData({ abi, functionName, args });
  const estimated = await estimateGas(publicClient, { account: issuer, to, data }).catch((error: unknown) => {
    throw toAppRegistryError(error);
  });
  // If another transaction is first and changes, for example, who the first controller is, the call costs a little more.
  const gas = (estimated * 5n) / 4n;

  return store.exclusively(async () => {
    const current = await store.find(key);
    if (current && (!current.mined || current.mined.blockNumber > readAt)) return current;
    const fees = capFees(await funds.assertEnough(gas, spender), context.maxFeePerGas);
    const client = spender.purpose === "request" ? spender.client : undefined;
    return sendWithFreeNonce(context, { key, client, to, data, gas }, fees);
  });
}

async function sendWithFreeNonce(
  context: SendingContext,
  call: Pick<IssuerTransaction, "key" | "client" | "to" | "data" | "gas">,
  fees: Fees,
): Promise<IssuerTransaction> {
  const { store, publicClient, issuer } = context;
  let refusal: unknown;
  for (let tries = 0; tries < MAX_NONCE_ATTEMPTS; tries++) {
    const nonce = await findFreeNonce(context);
    const attempt = await signAttempt(context, { ...call, nonce }, fees);
    const transaction: IssuerTransaction = { ...call, nonce, attempts: [attempt], mined: undefined };
    // Recorded before it is sent: whatever happens afterwards, it is found again and no nonce is skipped.
    if (!(await store.insert(transaction))) continue;
    const sent = await broadcast(publicClient, attempt);
    if (!("cause" in sent)) return transaction;
    await store.remove(nonce);
    refusal = sent.cause;
    if (sent.result === "out-of-funds") {
      const needed = call.gas * fees.maxFeePerGas;
      throw new IssuerOutOfFundsError(issuer, { available: 0n, needed }, refusal);
    }
    if (sent.result === "refused") break;
  }
  throw new TransactionRefusedError(refusal);
}

/** The lowest nonce that neither the chain nor the node nor an open transaction uses. */
async function findFreeNonce(context: SendingContext): Promise<number> {
  const [{ pending }, transactions] = await Promise.all([readNonceCounts(context), context.store.list()]);
  const open = new Set(transactions.filter(({ mined }) => !mined).map(({ nonce }) => nonce));
  let nonce = pending;
  while (open.has(nonce)) nonce += 1;
  return nonce;
}
