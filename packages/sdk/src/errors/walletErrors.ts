import { type Address, formatUnits } from "viem";
import { AppRegistryError } from "./appRegistryError.ts";

/** Thrown when a write was called on a client that has no wallet or no account. */
export class NoAccountError extends AppRegistryError {
  override readonly name = "NoAccountError";

  constructor() {
    super("This call sends a transaction, but no account is connected.", {
      action: "Connect a wallet, or create the client with a walletClient that has an account.",
      docsPath: "/sdk#writes",
    });
  }
}

/** Thrown when the wallet or the RPC endpoint is on another chain than the deployment. */
export class WrongChainError extends AppRegistryError {
  override readonly name = "WrongChainError";
  readonly expectedChainId: number;
  readonly actualChainId: number;

  constructor(expectedChainId: number, actualChainId: number, source: "wallet" | "rpc") {
    const where =
      source === "rpc"
        ? `The RPC endpoint serves chain ${actualChainId}`
        : `The wallet is on chain ${actualChainId}`;
    super(`${where}; the registry is on chain ${expectedChainId}.`, {
      action:
        source === "rpc"
          ? `Use an RPC endpoint for chain ${expectedChainId}, or a deployment on chain ${actualChainId}.`
          : `Switch the wallet to chain ${expectedChainId}.`,
      docsPath: source === "rpc" ? "/sdk#client" : "/sdk#writes",
    });
    this.expectedChainId = expectedChainId;
    this.actualChainId = actualChainId;
  }
}

/** Thrown when the person declined the request in the wallet. */
export class RequestRejectedError extends AppRegistryError {
  override readonly name = "RequestRejectedError";

  constructor(cause: unknown) {
    super("You declined the request in the wallet.", {
      action: "Try again and approve it in the wallet.",
      docsPath: "/sdk#errors",
      retryable: true,
      cause,
    });
  }
}

/** Balance of an account and highest cost of a transaction, both in the smallest unit of the currency (wei). */
export type Funds = {
  account: Address;
  balance: bigint;
  /** Gas limit times the highest fee per gas, plus the value. */
  needed: bigint;
  /** Currency of the chain. */
  currency: { symbol: string; decimals: number };
};

/** Thrown when the account cannot pay for the transaction. `funds` is undefined if the balance could not be read. */
export class InsufficientFundsError extends AppRegistryError {
  override readonly name = "InsufficientFundsError";
  readonly funds: Funds | undefined;

  constructor(cause: unknown, funds?: Funds) {
    const words = funds && formatFunds(funds);
    super(words?.sentence ?? "The account has insufficient funds for this transaction.", {
      action: words?.action ?? "Add funds to the account, then send it again.",
      docsPath: "/sdk#errors",
      cause,
    });
    this.funds = funds;
  }
}

function formatFunds({ account, balance, needed, currency: { symbol, decimals } }: Funds) {
  const amount = (units: bigint) => `${formatUnits(units, decimals)} ${symbol}`;
  const missing = amount(needed - balance);
  return {
    sentence: `${account} has ${amount(balance)}, but this transaction may cost up to ${amount(needed)}. You need ${missing} more.`,
    action: `Send at least ${missing} to ${account}, then try again.`,
  };
}

/** Thrown when a transaction was mined but reverted. */
export class TransactionRevertedError extends AppRegistryError {
  override readonly name = "TransactionRevertedError";
  readonly hash: `0x${string}`;

  constructor(hash: `0x${string}`, cause?: unknown) {
    const why = cause instanceof AppRegistryError ? ` ${cause.shortMessage}` : "";
    super(`Transaction ${hash} failed (reverted).${why}`, {
      action: (cause instanceof AppRegistryError && cause.action) || "Check the record, then try again.",
      docsPath: "/sdk#errors",
      cause,
    });
    this.hash = hash;
  }
}
