import { AppRegistryError } from "./appRegistryError.ts";

/** An argument does not fit the contract's type: a number out of range, or what is no address. */
export class InvalidArgumentError extends AppRegistryError {
  override readonly name = "InvalidArgumentError";

  constructor(reason: string, cause: unknown) {
    super(`An argument is not valid: ${reason.replace(/\.$/, "")}.`, {
      action: "Correct the argument.",
      docsPath: "/sdk#errors",
      cause,
    });
  }
}

/** The transaction's number does not follow the account's last one: another transaction came first. */
export class NonceError extends AppRegistryError {
  override readonly name = "NonceError";

  constructor(cause: unknown) {
    super("The transaction's nonce does not follow the account's last transaction.", {
      action: "Wait until the account's other transactions are mined, then send it again.",
      docsPath: "/sdk#errors",
      retryable: true,
      cause,
    });
  }
}

/** The network does not take the transaction for its fees or its gas. Nothing was sent. */
export class FeeError extends AppRegistryError {
  override readonly name = "FeeError";

  constructor(reason: string, cause: unknown) {
    super(`The network does not take the transaction: ${reason.replace(/\.$/, "")}.`, {
      action: "Send it again with the fees that the network asks for now.",
      docsPath: "/sdk#errors",
      retryable: true,
      cause,
    });
  }
}

/** The RPC endpoint or the wallet does not know the method that was called. */
export class UnsupportedMethodError extends AppRegistryError {
  override readonly name = "UnsupportedMethodError";

  constructor(cause: unknown) {
    super("The RPC endpoint or the wallet does not support this request.", {
      action: "Use another RPC endpoint or wallet.",
      docsPath: "/sdk#errors",
      cause,
    });
  }
}

/** The wallet does not serve this page or this chain at the moment. */
export class WalletDisconnectedError extends AppRegistryError {
  override readonly name = "WalletDisconnectedError";

  constructor(cause: unknown) {
    super("The wallet is not connected.", {
      action: "Connect the wallet, and allow it this account.",
      docsPath: "/sdk#errors",
      retryable: true,
      cause,
    });
  }
}

/** What stands in the registry does not let this version follow. */
export class PublicationConflictError extends AppRegistryError {
  override readonly name = "PublicationConflictError";
  /** `same-version`: that version is published with other content. */
  readonly code: "same-version" | "version" | "new-major" | "interfaces" | "traits" | "data-url";

  constructor(code: PublicationConflictError["code"], message: string, action?: string) {
    super(message, { action, docsPath: "/cli#publish" });
    this.code = code;
  }
}
