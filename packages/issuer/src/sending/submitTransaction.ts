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

/** Maximum number of nonces to try. A node may report that a nonce is already used. */
const MAX_NONCE_ATTEMPTS = 3;

/** Call that attests or revokes a statement. */
export type Submission = {
  /** Key of the statement. */
  key: string;
  call: PreparedCall;
  /**
   * Block at which the statement was not attested. If a transaction with the same key was mined later, none is sent.
   */
  readAt: bigint;
  spender: Spender;
};

/**
 * Signs, stores and sends a call with the next free nonce, one at a time. If any process has an open transaction with
 * the same key, returns that one and sends nothing.
 * @throws {ContractRevertError} if the call would revert. Nothing was sent.
 * @throws {RpcUnavailableError} if the node does not respond.
 * @throws {SendingError} if the transaction can't be signed, stored, paid for or sent.
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
  // Add a quarter: the call costs more if another transaction changes the state first, such as the first controller.
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
    // Store before sending, so that after a crash the transaction is found and its nonce is not skipped.
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

/** Returns the lowest nonce that neither the chain, the node nor an open transaction uses. */
async function findFreeNonce(context: SendingContext): Promise<number> {
  const [{ pending }, transactions] = await Promise.all([readNonceCounts(context), context.store.list()]);
  const open = new Set(transactions.filter(({ mined }) => !mined).map(({ nonce }) => nonce));
  let nonce = pending;
  while (open.has(nonce)) nonce += 1;
  return nonce;
}
