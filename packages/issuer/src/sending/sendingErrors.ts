import { AppRegistryError } from "@app-registry/sdk";
import { type Address, formatEther, formatGwei } from "viem";

/** Base class of errors after which nothing was sent. The same request may succeed later. */
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

/** Error for an issuer whose account can't pay for another attestation. Nothing was sent. */
export class IssuerOutOfFundsError extends SendingError {
  override readonly name = "IssuerOutOfFundsError";

  constructor(
    issuer: Address,
    { available, needed }: { available: bigint; needed: bigint },
    cause?: unknown,
  ) {
    super(
      `Issuer ${issuer} can't pay for an attestation. It needs ${formatEther(needed)} of the chain's currency ` +
        `but has only ${formatEther(available > 0n ? available : 0n)} available.`,
      { action: "Contact the registry's operator, or try again later.", cause },
    );
  }
}

/** Error for a gas price above the issuer's limit. Nothing was sent. */
export class IssuerFeesTooHighError extends SendingError {
  override readonly name = "IssuerFeesTooHighError";

  constructor({ price, cap }: { price: bigint; cap: bigint }) {
    super(
      `The gas price (${formatGwei(price)} gwei) is above the issuer's limit of ${formatGwei(cap)} gwei.`,
      {
        action: "Try again when gas prices are lower.",
      },
    );
  }
}

/** Base class of errors for a reached hourly spending limit. Nothing was sent. */
abstract class SpendingCapError extends SendingError {
  /** Seconds until the limit allows the transaction. */
  readonly retryAfter: number;

  constructor(message: string, retryAfter: number) {
    super(message, { action: `Try again in ${Math.ceil(retryAfter / 60)} minutes.` });
    this.retryAfter = retryAfter;
  }
}

/** Error for an issuer that has reached its hourly spending limit. Nothing was sent. */
export class IssuerSpendingCapError extends SpendingCapError {
  override readonly name = "IssuerSpendingCapError";

  /** `cap` is in wei. */
  constructor(cap: bigint, retryAfter: number) {
    super(
      `The issuer has reached its spending limit of ${formatEther(cap)} (in the chain's currency) per hour.`,
      retryAfter,
    );
  }
}

/** Error for a client that has reached its hourly spending limit. Other clients are not affected. Nothing was sent. */
export class ClientSpendingCapError extends SpendingCapError {
  override readonly name = "ClientSpendingCapError";

  /** `cap` is in wei. */
  constructor(cap: bigint, retryAfter: number) {
    super(
      `You have reached the issuer's spending limit of ${formatEther(cap)} (in the chain's currency) per client per hour.`,
      retryAfter,
    );
  }
}

/** Error for a key that can't sign, for example because its KMS is unavailable. Nothing was sent. */
export class IssuerKeyError extends SendingError {
  override readonly name = "IssuerKeyError";

  constructor(cause: unknown) {
    super("The issuer couldn't sign.", { cause });
  }
}

/** Awaits a signature. @throws {IssuerKeyError} if the key, which may be in a KMS, can't sign. */
export function wrapKeyErrors<Signature>(signature: Promise<Signature>): Promise<Signature> {
  return signature.catch((error: unknown) => {
    throw new IssuerKeyError(error);
  });
}

/** Error for unmined transactions of an earlier run, which make the issuer's attestations unknown. */
export class IssuerRecoveringError extends SendingError {
  override readonly name = "IssuerRecoveringError";

  constructor() {
    super("The issuer has restarted and is waiting for its earlier transactions.");
  }
}

/**
 * Error for a transaction that the node rejected, or whose nonce it reported as used several times. Nothing was sent.
 */
export class TransactionRefusedError extends SendingError {
  override readonly name = "TransactionRefusedError";

  constructor(cause: unknown) {
    super("The chain's node rejected the issuer's transaction.", { cause });
  }
}

/** Error for an unavailable database of the issuer. Nothing was sent. */
export class IssuerStoreError extends SendingError {
  override readonly name = "IssuerStoreError";

  constructor(cause: unknown) {
    super("The issuer's database is unavailable.", { cause });
  }
}
