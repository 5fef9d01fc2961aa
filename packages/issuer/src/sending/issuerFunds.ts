import { getBalance } from "viem/actions";
import { capFees, type MarketFees, readMarketFees } from "./fees.ts";
import { highestCost } from "./issuerTransaction.ts";
import type { SendingContext } from "./sendingContext.ts";
import { IssuerFeesTooHighError, IssuerOutOfFundsError } from "./sendingErrors.ts";
import { assertWithinCaps, getCurrentSpending, type Spender } from "./spendingCap.ts";

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
   * Checks that the balance and the caps allow a transaction. Warns about a low balance.
   * @throws {IssuerOutOfFundsError} {@link IssuerFeesTooHighError}, {@link IssuerSpendingCapError} or
   * {@link ClientSpendingCapError} if they do not.
   */
  assertEnough(gas: bigint, spender: Spender): Promise<MarketFees>;
};

/** Creates a monitor of an issuer's funds. `lowBalance` is a number of attestations. */
export function createFundsMonitor(
  context: SendingContext,
  { lowBalance }: { lowBalance: number },
): FundsMonitor {
  const { publicClient, issuer: address, store, maxFeePerGas, repriceAfter, onEvent } = context;
  let warnedAt = Number.NEGATIVE_INFINITY;

  const look = async () => {
    const [balance, market, transactions] = await Promise.all([
      getBalance(publicClient, { address, blockTag: "latest" }),
      readMarketFees(publicClient),
      store.list(),
    ]);
    const open = transactions.filter(({ mined }) => !mined);
    const available = open.reduce((rest, transaction) => rest - highestCost(transaction), balance);
    const attestationCost = ATTESTATION_GAS * market.price;
    const attestationsLeft = available > 0n && attestationCost > 0n ? Number(available / attestationCost) : 0;
    const low = attestationsLeft < lowBalance;
    const empty = available < computeCost(ATTESTATION_GAS, market);
    const due = Date.now() - repriceAfter;
    const funds: IssuerFunds = {
      ...{ balance, available, attestationsLeft, low, empty },
      openTransactions: open.length,
      stuckTransactions: open.filter(({ attempts: [first] }) => first && first.signedAt < due).length,
      spent: getCurrentSpending(transactions),
    };
    return { funds, market, transactions };
  };

  /** Returns the balance that the node requires for an amount of gas. */
  const computeCost = (gas: bigint, market: MarketFees) => gas * capFees(market, maxFeePerGas).maxFeePerGas;

  const tell = ({ balance, attestationsLeft, low }: IssuerFunds) => {
    if (!low) {
      warnedAt = Number.NEGATIVE_INFINITY;
      return;
    }
    if (Date.now() - warnedAt < WARNING_INTERVAL) return;
    warnedAt = Date.now();
    onEvent({ event: "issuer balance low", issuer: address, balance: String(balance), attestationsLeft });
  };

  return {
    read: async () => (await look()).funds,
    async assertEnough(gas, spender) {
      const { funds, market, transactions } = await look();
      tell(funds);
      if (market.price > maxFeePerGas) {
        throw new IssuerFeesTooHighError({ price: market.price, cap: maxFeePerGas });
      }
      const needed = computeCost(gas, market);
      if (funds.available < needed) {
        throw new IssuerOutOfFundsError(address, { available: funds.available, needed });
      }
      assertWithinCaps(transactions, needed, context, spender);
      return market;
    },
  };
}
