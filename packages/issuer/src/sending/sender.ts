import { setTimeout as sleep } from "node:timers/promises";
import type { AppRegistryClient } from "@app-registry/sdk";
import { TransactionRevertedError, toAppRegistryError } from "@app-registry/sdk";
import type { Address, Hash, LocalAccount, PublicClient } from "viem";
import { getIssuerScope } from "../getIssuerScope.ts";
import { findMined } from "./broadcast.ts";
import type { IssuerEvent } from "./issuerEvent.ts";
import { ATTESTATION_GAS, createFundsMonitor, type IssuerFunds } from "./issuerFunds.ts";
import { type IssuerTransaction, lastAttempt } from "./issuerTransaction.ts";
import { createRecovery } from "./recovery.ts";
import type { SendingContext } from "./sendingContext.ts";
import type { Spender } from "./spendingCap.ts";
import { type Submission, submitTransaction } from "./submitTransaction.ts";
import { monitorTransactions } from "./transactionMonitor.ts";
import type { OpenTransactionStore } from "./transactionStore.ts";

/** The result of a transaction; `hash` is the one that was mined, or the last one sent. */
export type Sent =
  | { status: "mined"; hash: Hash; blockNumber: bigint }
  | { status: "pending"; hash: Hash }
  | { status: "reverted"; hash: Hash; reason: string };

/** Sends an issuer's transactions and follows each to its receipt. */
export type Sender = {
  /** Sends a call, unless a transaction of the same key is open, and waits for its receipt. */
  send(submission: Submission): Promise<Sent>;
  /** Waits for the open transaction of a key; undefined when there is none. */
  resume(key: string): Promise<Sent | undefined>;
  /**
   * Waits, once, for transactions of an earlier run that the store doesn't know: until then, the chain doesn't say what is
   * attested.
   * @throws IssuerRecoveringError when they are not mined in time.
   */
  recovered(): Promise<void>;
  /**
   * Checks, before anything else is tried, that an attestation can be paid for.
   * @throws IssuerOutOfFundsError, IssuerFeesTooHighError, IssuerSpendingCapError, ClientSpendingCapError
   */
  assertFunds(spender: Spender): Promise<void>;
  readFunds(): Promise<IssuerFunds>;
  /** Stops watching open transactions. */
  close(): void;
};

export type SenderOptions = {
  /** The most to pay per gas, in wei. Default 500 gwei. */
  maxFeePerGas?: bigint;
  /** The most that all processes with one store spend in any hour, in wei. Default: no limit. */
  spendingCap?: bigint;
  /** The most of it that they spend on the requests of one client, in wei. Default: a tenth of `spendingCap`. */
  clientSpendingCap?: bigint | undefined;
  /** Milliseconds after which a transaction that is not mined is sent again at a higher price. Default 60,000. */
  repriceAfter?: number;
  /** Milliseconds between two checks of the open transactions. Default 5,000. */
  keepInterval?: number;
  /** Calls `onEvent` if the balance pays for fewer attestations than this. Default 100. */
  lowBalance?: number;
  /** Receives events for the operator's log. */
  onEvent?: (event: IssuerEvent) => void;
};

const GWEI = 1_000_000_000n;

/** Milliseconds to find out why a transaction reverted. */
const REVERT_REASON_TIMEOUT = 5_000;

/** Starts sending with one key. It also follows open transactions of an earlier run. */
export async function createSender(
  parameters: SenderOptions & {
    client: AppRegistryClient;
    publicClient: PublicClient;
    account: LocalAccount;
    issuer: Address;
    chainId: number;
    openStore: OpenTransactionStore;
    /** Milliseconds. */
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

  /** The result of a nonce; `pending` if the chain doesn't say in time. */
  const settled = async (transaction: IssuerTransaction): Promise<Sent> => {
    let current = transaction;
    for (const deadline = Date.now() + receiptTimeout; Date.now() < deadline; await sleep(pollingInterval)) {
      // It was sent, so the caller gets the hash even if the receipt can't be read.
      const look = await inspectTransaction(context, current).catch(() => ({ current, mined: undefined }));
      if (look === "gone") break;
      if (look.mined?.reverted)
        return { status: "reverted", ...(await readRevertReason(client, look.mined.hash)) };
      if (look.mined) return { status: "mined", ...look.mined };
      current = look.current;
    }
    return { status: "pending", hash: lastAttempt(current).hash };
  };

  const failing = (error: unknown): never => {
    throw toAppRegistryError(error);
  };
  return {
    send: async (submission) => settled(await submitTransaction(context, funds, submission).catch(failing)),
    async resume(key) {
      const transaction = await store.find(key);
      return transaction && !transaction.mined ? settled(transaction) : undefined;
    },
    recovered: () => recovered().catch(failing),
    assertFunds: async (spender) => void (await funds.assertEnough(ATTESTATION_GAS, spender).catch(failing)),
    readFunds: () => funds.read().catch(failing),
    close: stopKeeping,
  };
}

type TransactionState = { current: IssuerTransaction; mined: IssuerTransaction["mined"] } | "gone";

async function inspectTransaction(
  context: SendingContext,
  { key, nonce }: IssuerTransaction,
): Promise<TransactionState> {
  const current = await context.store.find(key);
  if (current?.nonce !== nonce) return "gone";
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

/** Every check finds a stuck transaction stuck again; this reports it once. */
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
    // If the chain or the database doesn't answer, the next check asks again.
    await monitorTransactions(context).catch(() => undefined);
    busy = false;
  };
  void look();
  const timer = setInterval(() => void look(), interval);
  timer.unref();
  return () => clearInterval(timer);
}
