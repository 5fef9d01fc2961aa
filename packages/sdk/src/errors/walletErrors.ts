import { AppRegistryError } from "./appRegistryError.ts";

/** A write was called on a client that has no wallet or no account. */
export class NoAccountError extends AppRegistryError {
  override readonly name = "NoAccountError";

  constructor() {
    super("This call sends a transaction, and no account is connected.", {
      action: "Connect a wallet, or create the client with a walletClient that has an account.",
      docsPath: "/sdk#writes",
    });
  }
}

/** The wallet is on another chain than the deployment. */
export class WrongChainError extends AppRegistryError {
  override readonly name = "WrongChainError";
  readonly expectedChainId: number;
  readonly actualChainId: number;

  constructor(expectedChainId: number, actualChainId: number) {
    super(`The wallet is on chain ${actualChainId}; the registry is on chain ${expectedChainId}.`, {
      action: `Switch the wallet to chain ${expectedChainId}.`,
      docsPath: "/sdk#writes",
    });
    this.expectedChainId = expectedChainId;
    this.actualChainId = actualChainId;
  }
}

/** The person declined the request in the wallet. */
export class RequestRejectedError extends AppRegistryError {
  override readonly name = "RequestRejectedError";

  constructor(cause: unknown) {
    super("The request was declined in the wallet.", {
      action: "Send it again and confirm it in the wallet.",
      docsPath: "/sdk#errors",
      retryable: true,
      cause,
    });
  }
}

/** The account can't pay for the transaction. */
export class InsufficientFundsError extends AppRegistryError {
  override readonly name = "InsufficientFundsError";

  constructor(cause: unknown) {
    super("The account can't pay for this transaction.", {
      action: "Add funds to the account, then send it again.",
      docsPath: "/sdk#errors",
      cause,
    });
  }
}

/** A transaction was mined and had no effect. */
export class TransactionRevertedError extends AppRegistryError {
  override readonly name = "TransactionRevertedError";
  readonly hash: `0x${string}`;

  constructor(hash: `0x${string}`, cause?: unknown) {
    const why = cause instanceof AppRegistryError ? ` ${cause.shortMessage}` : "";
    super(`Transaction ${hash} was mined but reverted.${why}`, {
      action: (cause instanceof AppRegistryError && cause.action) || "Check the record, then send it again.",
      docsPath: "/sdk#errors",
      cause,
    });
    this.hash = hash;
  }
}
