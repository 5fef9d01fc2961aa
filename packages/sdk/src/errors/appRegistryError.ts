/** Options of an {@link AppRegistryError}. */
export type AppRegistryErrorOptions = {
  /** Suggested action for the reader, as a full sentence. */
  action?: string | undefined;
  /** Path below `/docs` of any registry, such as `/sdk#errors`. */
  docsPath?: string | undefined;
  /** True if the same call may succeed later. */
  retryable?: boolean | undefined;
  cause?: unknown;
};

/**
 * Base class of every error that this package throws. `message` has the short message and the action. Show
 * `shortMessage` and `action` to people.
 */
export class AppRegistryError extends Error {
  override readonly name: string = "AppRegistryError";
  /** Description of the error, one sentence. */
  readonly shortMessage: string;
  /** Suggested action, one sentence. */
  readonly action: string | undefined;
  readonly docsPath: string | undefined;
  /** True if the same call may succeed later. */
  readonly retryable: boolean;

  constructor(shortMessage: string, options: AppRegistryErrorOptions = {}) {
    const { action, docsPath, retryable = false, cause } = options;
    const lines = [shortMessage, action];
    super(lines.filter(Boolean).join("\n"), cause === undefined ? undefined : { cause });
    this.shortMessage = shortMessage;
    this.action = action;
    this.docsPath = docsPath;
    this.retryable = retryable;
  }
}

/** Thrown when an argument does not fit the contract's type, such as a number out of range or an invalid address. */
export class InvalidArgumentError extends AppRegistryError {
  override readonly name = "InvalidArgumentError";

  constructor(reason: string, cause?: unknown) {
    super(`An argument is not valid: ${reason.replace(/\.$/, "")}.`, {
      action: "Fix the argument and try again.",
      docsPath: "/sdk#errors",
      cause,
    });
  }
}

/**
 * Thrown when the transaction's nonce does not follow the account's last one, because another transaction came first.
 */
export class NonceError extends AppRegistryError {
  override readonly name = "NonceError";

  constructor(cause: unknown) {
    super("The transaction's nonce is out of sequence.", {
      action: "Wait until the account's other transactions are confirmed, then try again.",
      docsPath: "/sdk#errors",
      retryable: true,
      cause,
    });
  }
}

/** Thrown when the network rejects the transaction because of its fees or its gas. Nothing was sent. */
export class FeeError extends AppRegistryError {
  override readonly name = "FeeError";

  constructor(reason: string, cause: unknown) {
    super(`The network rejected the transaction: ${reason.replace(/\.$/, "")}.`, {
      action: "Send it again with current network fees.",
      docsPath: "/sdk#errors",
      retryable: true,
      cause,
    });
  }
}

/** Thrown when the RPC endpoint or the wallet does not support the method. */
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

/** Thrown when the wallet does not serve this page or this chain at the moment. */
export class WalletDisconnectedError extends AppRegistryError {
  override readonly name = "WalletDisconnectedError";

  constructor(cause: unknown) {
    super("The wallet is not connected.", {
      action: "Connect the wallet and allow access to this account.",
      docsPath: "/sdk#errors",
      retryable: true,
      cause,
    });
  }
}

/** Thrown when this version cannot follow the registered ones. */
export class PublicationConflictError extends AppRegistryError {
  override readonly name = "PublicationConflictError";
  /** Kind of conflict. `same-version`: this version is published with other content. */
  readonly code: "same-version" | "version" | "new-major" | "interfaces" | "traits" | "data-url";

  constructor(code: PublicationConflictError["code"], message: string, action?: string) {
    super(message, { action, docsPath: "/cli#publish" });
    this.code = code;
  }
}

/** Returns true if a text has the form of a private key: 32 bytes in hexadecimal, with or without `0x`. */
export const isPrivateKey = (text: string): boolean => /^\s*(0x)?[0-9a-f]{64}\s*$/i.test(text);

/** Replaces a text that may be a private key, so that no error repeats it. */
export const withoutKey = (text: string): string => (isPrivateKey(text) ? "(32 bytes)" : text);
