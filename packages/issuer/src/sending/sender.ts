import { setTimeout as sleep } from "node:timers/promises";
import { type AppRegistryClient, TransactionRevertedError, toAppRegistryError } from "@app-registry/sdk";
import type { Address, Hash, LocalAccount, PublicClient } from "viem";
import { getBlockNumber } from "viem/actions";
import {
  broadcast,
  findMined,
  getIssuerScope,
  type IssuerEvent,
  monitorTransactions,
  readNonceCounts,
  readUnknownNonces,
  type SendingContext,
  signAttempt,
} from "./broadcast.ts";
import {
  capFees,
  type Fees,
  type IssuerTransaction,
  lastAttempt,
  readMarketFees,
  replacementFees,
} from "./issuerTransaction.ts";
import { IssuerRecoveringError } from "./sendingErrors.ts";
import { isOverCap, type Spender } from "./spendingCap.ts";
import {
  ATTESTATION_GAS,
  createFundsMonitor,
  type FundsMonitor,
  fitTogether,
  type IssuerFunds,
  type Submission,
  submitTogether,
} from "./submitTransaction.ts";
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

/** Maximum number of statements in a transaction. */
const MAX_BATCH = 200;

/** Maximum time to wait for the next block, in polling intervals. A chain may stand still. */
const MAX_WAIT = 3;

type Waiting<Result> = Submission & {
  resolve(result: Promise<Result>): void;
  reject(error: unknown): void;
};

/**
 * Creates a function that submits a call and returns the result of its transaction. A call is sent at once if none
 * waits. Calls that arrive meanwhile are sent together after the next block, in batches.
 *
 * @param settle Waits for the result of a transaction.
 */
function createSubmissionQueue<Result>(
  context: SendingContext,
  funds: FundsMonitor,
  settle: (transaction: IssuerTransaction) => Promise<Result>,
): (submission: Submission) => Promise<Result> {
  const { publicClient } = context;
  let waiting: Waiting<Result>[] = [];
  let running = false;

  const takeBatch = (): Waiting<Result>[] => {
    const [first] = waiting;
    const batch = waiting
      .filter((one) => one === first || (first && fitTogether(first, one)))
      .slice(0, MAX_BATCH);
    waiting = waiting.filter((one) => !batch.includes(one));
    return batch;
  };

  const submit = async (batch: Waiting<Result>[]) => {
    const outcomes = await submitTogether(context, funds, batch);
    const results = new Map<number, Promise<Result>>();
    for (const submission of batch) {
      const outcome = outcomes.get(submission);
      if (outcome === undefined || outcome === "later") waiting.unshift(submission);
      else if ("error" in outcome) submission.reject(outcome.error);
      else {
        const { transaction } = outcome;
        // Wait once for all statements of a transaction.
        const result = results.get(transaction.nonce) ?? settle(transaction);
        results.set(transaction.nonce, result);
        submission.resolve(result);
      }
    }
  };

  const run = async () => {
    while (waiting.length > 0) {
      const batch = takeBatch();
      const reading = readHead();
      await submit(batch).catch((error: unknown) => {
        for (const { reject } of batch) reject(error);
      });
      const head = await reading;
      for (let looks = 0; waiting.length > 0 && looks < MAX_WAIT; looks++) {
        if ((await readHead()) > head) break;
        await sleep(publicClient.pollingInterval);
      }
    }
    running = false;
  };

  // A chain that doesn't answer only shortens the wait, and its error is that of the submission.
  const readHead = () => getBlockNumber(publicClient, { cacheTime: 0 }).catch(() => 0n);

  return (submission) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ ...submission, resolve, reject });
      if (running) return;
      running = true;
      void run();
    });
}

const TRANSFER_GAS = 21_000n;

/**
 * Creates a function that waits until unknown transactions of an earlier run are mined, because until then the chain
 * does not show all attestations. Replaces a stuck transaction by an empty transfer to the issuer itself.
 */
function createRecovery(
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
