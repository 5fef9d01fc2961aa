import { setTimeout as sleep } from "node:timers/promises";
import type { AppRegistryClient } from "@app-registry/sdk";
import { TransactionRevertedError, toAppRegistryError } from "@app-registry/sdk";
import type { Address, Hash, LocalAccount, PublicClient } from "viem";
import { findMined } from "./broadcast.ts";
import { getIssuerScope } from "./getIssuerScope.ts";
import type { IssuerEvent } from "./issuerEvent.ts";
import { ATTESTATION_GAS, createFundsMonitor, type IssuerFunds } from "./issuerFunds.ts";
import { type IssuerTransaction, lastAttempt } from "./issuerTransaction.ts";
import { createRecovery } from "./recovery.ts";
import type { SendingContext } from "./sendingContext.ts";
import type { Spender } from "./spendingCap.ts";
import { createSubmissionQueue } from "./submissionQueue.ts";
import type { Submission } from "./submitTransaction.ts";
import { monitorTransactions } from "./transactionMonitor.ts";
import type { TransactionStore } from "./transactionStore.ts";

/** Result of a transaction. `hash` is that of the mined attempt, or of the latest one. */
export type Sent =
  | { status: "mined"; hash: Hash; blockNumber: bigint }
  | { status: "pending"; hash: Hash }
  | { status: "reverted"; hash: Hash; reason: string };

/** Sender of an issuer's transactions, which monitors each one until it is mined. */
export type Sender = {
  /**
   * Sends a call and waits for its receipt. If a transaction with the same key is open, waits for that one instead. What
   * waits while a transaction is sent shares the next one, a block later.
   */
  send(submission: Submission): Promise<Sent>;
  /** Waits for the open transaction of a key. Returns `undefined` if none exists. */
  resume(key: string): Promise<Sent | undefined>;
  /**
   * Waits until transactions of an earlier run that are not in the store are mined. Until then, the chain does not show
   * all attestations. Returns immediately once they are.
   * @throws {IssuerRecoveringError} if they are not mined in time.
   */
  recovered(): Promise<void>;
  /**
   * Checks in advance that the issuer can pay for an attestation.
   * @throws {IssuerOutOfFundsError} {@link IssuerFeesTooHighError}, {@link IssuerSpendingCapError} or
   * {@link ClientSpendingCapError} if it can't.
   */
  assertFunds(spender: Spender): Promise<void>;
  readFunds(): Promise<IssuerFunds>;
  /** Stops monitoring open transactions. */
  close(): void;
};

export type SenderOptions = {
  /** Maximum price per gas, in wei. Default 500 gwei. */
  maxFeePerGas?: bigint;
  /** Maximum spending of all processes with one store in any hour, in wei. Default: no limit. */
  spendingCap?: bigint;
  /** Maximum spending on the requests of one client in any hour, in wei. Default: a tenth of `spendingCap`. */
  clientSpendingCap?: bigint | undefined;
  /** Time until a transaction that is not mined is replaced at a higher price, in milliseconds. Default 60,000. */
  repriceAfter?: number;
  /** Interval between two checks of the open transactions, in milliseconds. Default 5,000. */
  keepInterval?: number;
  /** Number of attestations below which a balance is reported as low. Default 100. */
  lowBalance?: number;
  /** Receives events for the operator's log. */
  onEvent?: (event: IssuerEvent) => void;
};

const GWEI = 1_000_000_000n;

/** Time limit for finding the reason of a revert, in milliseconds. */
const REVERT_REASON_TIMEOUT = 5_000;

/** Creates the sender of one key. It also monitors open transactions of an earlier run. */
export async function createSender(
  parameters: SenderOptions & {
    client: AppRegistryClient;
    publicClient: PublicClient;
    account: LocalAccount;
    issuer: Address;
    chainId: number;
    /** Opens the store of a key on a chain, which `scope` identifies. */
    openStore: (scope: string) => Promise<TransactionStore>;
    /** Time to wait for a receipt, in milliseconds. */
    receiptTimeout: number;
  },
): Promise<Sender> {
  const { client, publicClient, account, issuer, chainId, openStore, receiptTimeout } = parameters;
  const {
    maxFeePerGas = 500n * GWEI,
    spendingCap,
    repriceAfter = 60_000,
    keepInterval = 5_000,
    lowBalance = 100,
  } = parameters;
  const { pollingInterval } = publicClient;
  const store = await openStore(await getIssuerScope(publicClient, chainId, issuer));
  const onEvent = dedupeIssuerEvents(parameters.onEvent ?? (() => undefined));
  const context: SendingContext = {
    account,
    issuer,
    chainId,
    publicClient,
    store,
    maxFeePerGas,
    spendingCap,
    clientSpendingCap: parameters.clientSpendingCap ?? (spendingCap && spendingCap / 10n),
    repriceAfter,
    onEvent,
  };
  const funds = createFundsMonitor(context, { lowBalance });
  const recovered = createRecovery(context, { timeout: receiptTimeout, pollingInterval });
  const stopKeeping = startMonitoring(context, keepInterval);

  /** Waits for the result of a transaction. Returns `pending` if it is not mined in time. */
  const settled = async (transaction: IssuerTransaction): Promise<Sent> => {
    let current = transaction;
    for (const deadline = Date.now() + receiptTimeout; Date.now() < deadline; await sleep(pollingInterval)) {
      // Ignore errors: the transaction was sent, so the caller needs its hash even if the receipt can't be read.
      const look = await inspectTransaction(context, current).catch(() => ({ current, mined: undefined }));
      if (look === "gone") break;
      if (look.mined?.reverted)
        return { status: "reverted", ...(await readRevertReason(client, look.mined.hash)) };
      if (look.mined) return { status: "mined", ...look.mined };
      current = look.current;
    }
    return { status: "pending", hash: lastAttempt(current).hash };
  };

  const submit = createSubmissionQueue(context, funds, settled);
  const failing = (error: unknown): never => {
    throw toAppRegistryError(error);
  };
  return {
    send: (submission) => submit(submission).catch(failing),
    async resume(key) {
      const transaction = await store.find(key);
      return transaction && !transaction.mined ? settled(transaction) : undefined;
    },
    recovered: () => recovered().catch(failing),
    async assertFunds(spender) {
      const budget = await funds.openBudget([spender]).catch(failing);
      budget.reserve(ATTESTATION_GAS, spender);
    },
    readFunds: () => funds.read().catch(failing),
    close: stopKeeping,
  };
}

type TransactionState = { current: IssuerTransaction; mined: IssuerTransaction["mined"] } | "gone";

async function inspectTransaction(
  context: SendingContext,
  { nonce, attempts: [first] }: IssuerTransaction,
): Promise<TransactionState> {
  const current = await context.store.get(nonce);
  // The nonce has another transaction after a reorganization.
  if (!current || current.attempts[0]?.hash !== first?.hash) return "gone";
  const mined = current.mined ?? (await findMined(context, current));
  if (mined && !current.mined) await context.store.settle(nonce, mined);
  return { current, mined };
}

async function readRevertReason(
  client: AppRegistryClient,
  hash: Hash,
): Promise<{ hash: Hash; reason: string }> {
  const error = await client.waitForReceipt({ hash, timeoutMs: REVERT_REASON_TIMEOUT }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const reason =
    error instanceof TransactionRevertedError
      ? error.shortMessage
      : `Transaction ${hash} was mined but reverted.`;
  return { hash, reason };
}

/** Returns an `onEvent` that reports a stuck transaction once rather than at every check. */
function dedupeIssuerEvents(onEvent: (event: IssuerEvent) => void): (event: IssuerEvent) => void {
  const told = new Set<Hash>();
  return (event) => {
    if (event.event === "transaction stuck at a cap") {
      if (told.has(event.hash)) return;
      told.add(event.hash);
    }
    onEvent(event);
  };
}

function startMonitoring(context: SendingContext, interval: number): () => void {
  let busy = false;
  const look = async () => {
    if (busy) return;
    busy = true;
    // Ignore errors: if the chain or the database is unavailable, the next check retries.
    await monitorTransactions(context).catch(() => undefined);
    busy = false;
  };
  void look();
  const timer = setInterval(() => void look(), interval);
  timer.unref();
  return () => clearInterval(timer);
}
