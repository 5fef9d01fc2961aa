import { getBalance } from "viem/actions";
import { capFees, type MarketFees, readMarketFees } from "./fees.ts";
import { highestCost } from "./issuerTransaction.ts";
import type { SendingContext } from "./sendingContext.ts";
import { IssuerFeesTooHighError, IssuerOutOfFundsError } from "./sendingErrors.ts";
import { assertWithinCaps, getCurrentSpending, type Spender } from "./spendingCap.ts";

/** The most gas that an attestation takes: `attestDID` of a DID's second controller is the most expensive. */
export const ATTESTATION_GAS = 150_000n;

/** Milliseconds between two warnings about a balance that stays low. */
const WARNING_INTERVAL = 3_600_000;

export type IssuerFunds = {
  /** Wei. */
  balance: bigint;
  /** The balance less what open transactions may still cost. */
  available: bigint;
  /** Attestations that it pays for at the current price. */
  attestationsLeft: number;
  /** Whether that is fewer than the operator's warning level. */
  low: boolean;
  /** Whether it pays for none, so requests are refused with IssuerOutOfFundsError. */
  empty: boolean;
  openTransactions: number;
  /** Of these, how many nobody mined in time, whether they were signed again for a higher price or are at a cap. */
  stuckTransactions: number;
  /** What counts against the spending cap of an hour now, in wei. */
  spent: bigint;
};

export type FundsMonitor = {
  read(): Promise<IssuerFunds>;
  /**
   * Checks that the balance and the caps allow a transaction, and warns about a low balance.
   * @throws IssuerOutOfFundsError, IssuerFeesTooHighError, IssuerSpendingCapError, ClientSpendingCapError
   */
  assertEnough(gas: bigint, spender: Spender): Promise<MarketFees>;
};

/** Watches what an issuer has left to spend. `lowBalance` is a number of attestations. */
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

  /** The balance that gas requires. */
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
