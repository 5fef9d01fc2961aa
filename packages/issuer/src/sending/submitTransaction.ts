import { ContractRevertError, type PreparedCall, toAppRegistryError } from "@app-registry/sdk";
import { type AbiFunction, encodeFunctionData, getAbiItem } from "viem";
import { estimateGas, getBalance } from "viem/actions";
import { broadcast, readNonceCounts, type SendingContext, signAttempt } from "./broadcast.ts";
import {
  capFees,
  type Fees,
  type IssuerTransaction,
  type MarketFees,
  readMarketFees,
} from "./issuerTransaction.ts";
import { IssuerFeesTooHighError, IssuerOutOfFundsError, TransactionRefusedError } from "./sendingErrors.ts";
import { assertWithinCaps, payingClient, type Spender, sumSpending } from "./spendingCap.ts";

/** Maximum gas of an attestation. `attestDID` for a DID's second controller is the most expensive. */
export const ATTESTATION_GAS = 150_000n;

/** Minimum time between two warnings about a low balance, in milliseconds. */
const WARNING_INTERVAL = 3_600_000;

export type IssuerFunds = {
  /** Balance of the issuer's account, in wei. */
  balance: bigint;
  /** Balance minus the maximum cost of open transactions, in wei. */
  available: bigint;
  /** Number of attestations that `available` can pay for at the current price. */
  attestationsLeft: number;
  /** True if `attestationsLeft` is below the operator's warning level. */
  low: boolean;
  /** True if the balance can't pay for any attestation. Requests then fail with `IssuerOutOfFundsError`. */
  empty: boolean;
  openTransactions: number;
  /** Number of open transactions that were not mined in time, including repriced ones and those at a cap. */
  stuckTransactions: number;
  /** Current spending that counts toward the hourly cap, in wei. */
  spent: bigint;
};

export type FundsMonitor = {
  read(): Promise<IssuerFunds>;
  /**
   * Opens the budget of one transaction, for statements of these spenders. Warns about a low balance.
   * @throws {IssuerFeesTooHighError} if the price per gas is above its limit.
   */
  openBudget(spenders: readonly Spender[]): Promise<Budget>;
};

type Budget = {
  market: MarketFees;
  /**
   * Reserves the cost of an amount of gas.
   * @throws {IssuerOutOfFundsError} {@link IssuerSpendingCapError} or {@link ClientSpendingCapError}, with nothing
   * reserved, if the balance or a cap does not allow it.
   */
  reserve(gas: bigint, spender: Spender): void;
};

/** Creates a monitor of an issuer's funds. `lowBalance` is a number of attestations. */
export function createFundsMonitor(
  context: SendingContext,
  { lowBalance }: { lowBalance: number },
): FundsMonitor {
  const { publicClient, issuer: address, store, maxFeePerGas, repriceAfter, onEvent } = context;
  let warnedAt = Number.NEGATIVE_INFINITY;

  const look = async (clients: readonly string[] = []) => {
    const [balance, market, spending] = await Promise.all([
      getBalance(publicClient, { address, blockTag: "latest" }),
      readMarketFees(publicClient),
      store.readSpending(clients),
    ]);
    const all = spending.get("") ?? { open: 0n, mined: [] };
    const available = balance - all.open;
    const attestationCost = ATTESTATION_GAS * market.price;
    const attestationsLeft = available > 0n && attestationCost > 0n ? Number(available / attestationCost) : 0;
    const low = attestationsLeft < lowBalance;
    const empty = available < computeCost(ATTESTATION_GAS, market);
    const funds = { balance, available, attestationsLeft, low, empty, spent: sumSpending(all) };
    return { funds, market, spending };
  };

  /** Returns the balance that the node requires for an amount of gas. */
  const computeCost = (gas: bigint, market: MarketFees) => gas * capFees(market, maxFeePerGas).maxFeePerGas;

  const tell = ({
    balance,
    attestationsLeft,
    low,
  }: Pick<IssuerFunds, "balance" | "attestationsLeft" | "low">) => {
    if (!low) {
      warnedAt = Number.NEGATIVE_INFINITY;
      return;
    }
    if (Date.now() - warnedAt < WARNING_INTERVAL) return;
    warnedAt = Date.now();
    onEvent({ event: "issuer balance low", issuer: address, balance: String(balance), attestationsLeft });
  };

  return {
    async read() {
      const [{ funds }, { open, stuck }] = await Promise.all([
        look(),
        store.countOpen(Date.now() - repriceAfter),
      ]);
      return { ...funds, openTransactions: open, stuckTransactions: stuck };
    },
    async openBudget(spenders) {
      const { funds, market, spending } = await look(
        spenders.flatMap((spender) => payingClient(spender) ?? []),
      );
      tell(funds);
      if (market.price > maxFeePerGas) {
        throw new IssuerFeesTooHighError({ price: market.price, cap: maxFeePerGas });
      }
      let { available } = funds;
      return {
        market,
        reserve(gas, spender) {
          const needed = computeCost(gas, market);
          if (available < needed) throw new IssuerOutOfFundsError(address, { available, needed });
          assertWithinCaps(spending, needed, context, spender);
          available -= needed;
          for (const payer of ["", payingClient(spender)]) {
            const spent = payer === undefined ? undefined : spending.get(payer);
            if (spent) spent.open += needed;
          }
        },
      };
    },
  };
}

/** Maximum number of nonces to try. A node may report that a nonce is already used. */
const MAX_NONCE_ATTEMPTS = 3;

/** Maximum gas of a transaction on Ethereum (EIP-7825). */
const MAX_TRANSACTION_GAS = 2n ** 24n;

/** Call that attests or revokes a statement. */
export type Submission = {
  key: string;
  call: PreparedCall;
  /**
   * Block at which the statement was not attested. If a transaction with the same key was mined later, none is sent.
   */
  readAt: bigint;
  spender: Spender;
};

/** Result of a submission: its transaction, or the error if nothing was sent, or `later` to submit it again. */
export type Submitted = { transaction: IssuerTransaction } | { error: unknown } | "later";

/** Functions that take many entries, by the one that takes an entry's fields. */
const batchFunctions = new Map([
  ["attestDID", "attestDIDBatch"],
  ["attestDataHash", "attestDataHashBatch"],
]);

/** Returns true if one transaction may contain both. Renewals and requests have different caps. */
export const fitTogether = (one: Submission, other: Submission): boolean =>
  batchFunctions.has(one.call.functionName) &&
  one.call.functionName === other.call.functionName &&
  one.spender.purpose === other.spender.purpose;

/**
 * Signs, stores and sends submissions that fit together as one transaction with the next free nonce, one at a time. If
 * any process has an open transaction with the same key, returns that one. A submission that its client's cap does not
 * allow gets the error, without effect on the others. Half of a batch that reverts, or that exceeds half of a block's
 * gas, is left for later.
 * @throws {IssuerStoreError} if the database does not respond.
 */
export function submitTogether(
  context: SendingContext,
  funds: FundsMonitor,
  submissions: readonly Submission[],
): Promise<Map<Submission, Submitted>> {
  const { store, maxFeePerGas } = context;
  return store.exclusively(async () => {
    const outcomes = new Map<Submission, Submitted>();
    const waiting: Submission[] = [];
    for (const submission of submissions) {
      const { key, readAt } = submission;
      const current = await store.find(key);
      if (current && (!current.mined || current.mined.blockNumber > readAt)) {
        outcomes.set(submission, { transaction: current });
      } else if (waiting.some((other) => other.key === key)) outcomes.set(submission, "later");
      else waiting.push(submission);
    }
    try {
      while (waiting.length > 0) {
        const call = encodeSubmissions(waiting);
        const gas = await estimate(context, call, waiting.length > 1);
        const budget = await funds.openBudget(waiting.map(({ spender }) => spender));
        if (gas === undefined || (waiting.length > 1 && gas > maxBatchGas(budget))) {
          for (const rest of waiting.splice(Math.ceil(waiting.length / 2))) outcomes.set(rest, "later");
          continue;
        }
        const refused = refuse(budget, waiting, gas);
        if (refused.size > 0) {
          for (const [submission, error] of refused) {
            outcomes.set(submission, { error });
            waiting.splice(waiting.indexOf(submission), 1);
          }
          continue;
        }
        const statements = waiting.map(({ key, spender }) => ({ key, client: payingClient(spender) }));
        const fees = capFees(budget.market, maxFeePerGas);
        const transaction = await sendWithFreeNonce(context, { ...call, gas, statements }, fees);
        for (const submission of waiting.splice(0)) outcomes.set(submission, { transaction });
      }
    } catch (error) {
      for (const submission of waiting) outcomes.set(submission, { error });
    }
    return outcomes;
  });
}

const maxBatchGas = ({ market }: Budget): bigint => {
  const half = market.blockGas / 2n;
  return half < MAX_TRANSACTION_GAS ? half : MAX_TRANSACTION_GAS;
};

/** Reserves each submission's share of the gas. Returns the errors of those that the budget does not allow. */
function refuse(budget: Budget, submissions: readonly Submission[], gas: bigint): Map<Submission, unknown> {
  const refused = new Map<Submission, unknown>();
  const count = BigInt(submissions.length);
  for (const submission of submissions) {
    try {
      budget.reserve((gas + count - 1n) / count, submission.spender);
    } catch (error) {
      refused.set(submission, error);
    }
  }
  return refused;
}

/** Encodes the only call, or the batch of all. */
function encodeSubmissions(submissions: readonly Submission[]) {
  const [{ call }] = submissions as readonly [Submission];
  const { address: to, abi, functionName, args } = call;
  if (submissions.length === 1) return { to, data: encodeFunctionData({ abi, functionName, args }) };
  const { inputs } = getAbiItem({ abi, name: functionName }) as AbiFunction;
  const entries = submissions.map((submission) =>
    Object.fromEntries(inputs.map(({ name }, index) => [name, submission.call.args[index]])),
  );
  const batch = { abi, functionName: batchFunctions.get(functionName), args: [entries] };
  return { to, data: encodeFunctionData(batch) };
}

/** Estimates the gas of a call. Returns `undefined` for a batch that would revert. */
async function estimate(
  { publicClient, issuer: account }: SendingContext,
  call: ReturnType<typeof encodeSubmissions>,
  isBatch: boolean,
): Promise<bigint | undefined> {
  try {
    const estimated = await estimateGas(publicClient, { account, ...call });
    // Add a quarter: a call costs more if another transaction changes the state first, such as the first controller.
    return (estimated * 5n) / 4n;
  } catch (error) {
    const known = toAppRegistryError(error);
    if (isBatch && known instanceof ContractRevertError) return undefined;
    throw known;
  }
}

type Unsigned = Pick<IssuerTransaction, "statements" | "to" | "data" | "gas">;

async function sendWithFreeNonce(
  context: SendingContext,
  call: Unsigned,
  fees: Fees,
): Promise<IssuerTransaction> {
  const { store, publicClient, issuer } = context;
  let refusal: unknown;
  for (let tries = 0; tries < MAX_NONCE_ATTEMPTS; tries++) {
    // Take the lowest nonce that neither the chain, the node nor an open transaction uses.
    const nonce = await store.findFreeNonce((await readNonceCounts(context)).pending);
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
