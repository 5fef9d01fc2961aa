import { getBalance } from "viem/actions";
import { capFees, type MarketFees, readMarketFees } from "./fees.ts";
import type { SendingContext } from "./sendingContext.ts";
import { IssuerFeesTooHighError, IssuerOutOfFundsError } from "./sendingErrors.ts";
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

export type Budget = {
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
