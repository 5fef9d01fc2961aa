import { AppRegistryError } from "@app-registry/sdk";
import { type Address, formatEther, formatGwei } from "viem";

/** Nothing was sent now; the same request may be sent again. */
abstract class SendingError extends AppRegistryError {
  constructor(message: string, options: { action?: string; cause?: unknown } = {}) {
    super(message, {
      action: "Try again in a moment.",
      ...options,
      docsPath: "/issuer#sending",
      retryable: true,
    });
  }
}

/** The issuer's account can't pay for another attestation. Nothing was sent. */
export class IssuerOutOfFundsError extends SendingError {
  override readonly name = "IssuerOutOfFundsError";

  constructor(
    issuer: Address,
    { available, needed }: { available: bigint; needed: bigint },
    cause?: unknown,
  ) {
    super(
      `The issuer ${issuer} can't pay for an attestation: it needs ${formatEther(needed)} of the chain's currency ` +
        `and has ${formatEther(available > 0n ? available : 0n)} to spend.`,
      { action: "Tell the registry's operator, and try again later.", cause },
    );
  }
}

/** Gas costs more than the issuer is configured to pay. Nothing was sent. */
export class IssuerFeesTooHighError extends SendingError {
  override readonly name = "IssuerFeesTooHighError";

  constructor({ price, cap }: { price: bigint; cap: bigint }) {
    super(`Gas costs ${formatGwei(price)} gwei now; the issuer pays at most ${formatGwei(cap)}.`, {
      action: "Try again when the chain is less busy.",
    });
  }
}

/** The issuer has reached its spending cap for an hour. Nothing was sent. */
export class IssuerSpendingCapError extends AppRegistryError {
  override readonly name = "IssuerSpendingCapError";
  /** Seconds until it may spend again. */
  readonly retryAfter: number;

  constructor(cap: bigint, retryAfter: number) {
    super(
      `The issuer spends at most ${formatEther(cap)} of the chain's currency in an hour, and that is used up.`,
      { action: `Try again in ${Math.ceil(retryAfter / 60)} minutes.` },
    );
    this.retryAfter = retryAfter;
  }
}

/** Transactions of an earlier run of the issuer are not mined yet, so it is unknown what it attested. */
export class IssuerRecoveringError extends AppRegistryError {
  override readonly name = "IssuerRecoveringError";

  constructor() {
    super("The issuer has restarted and waits for its earlier transactions.", {
      action: "Try again in a moment.",
      docsPath: "/issuer#sending",
      retryable: true,
    });
  }
}

/** The node refused a transaction, or said that its nonce is used, several times in a row. Nothing was sent. */
export class TransactionRefusedError extends AppRegistryError {
  override readonly name = "TransactionRefusedError";

  constructor(cause: unknown) {
    super("The chain's node refused the issuer's transaction.", {
      action: "Try again in a moment.",
      docsPath: "/issuer#sending",
      retryable: true,
      cause,
    });
  }
}

/** The database with the issuer's open transactions doesn't answer. Nothing was sent. */
export class IssuerStoreError extends AppRegistryError {
  override readonly name = "IssuerStoreError";

  constructor(cause: unknown) {
    super("The issuer's database does not answer.", { cause });
  }
}
