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
      `Issuer ${issuer} can't pay for an attestation. It needs ${formatEther(needed)} of the chain's currency ` +
        `but has only ${formatEther(available > 0n ? available : 0n)} available.`,
      { action: "Contact the registry's operator, or try again later.", cause },
    );
  }
}

/** Gas costs more than the issuer is configured to pay. Nothing was sent. */
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

/** A limit of what the issuer spends in an hour is reached. Nothing was sent. */
abstract class SpendingCapError extends SendingError {
  /** Seconds until it may spend again. */
  readonly retryAfter: number;

  constructor(message: string, retryAfter: number) {
    super(message, { action: `Try again in ${Math.ceil(retryAfter / 60)} minutes.` });
    this.retryAfter = retryAfter;
  }
}

/** The issuer has spent what it may spend in an hour. Nothing was sent. */
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

/** The issuer has spent on one client what it may spend on any in an hour. Others are served. Nothing was sent. */
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

/** The issuer's key can't sign now, because the KMS that holds it does not answer, for example. Nothing was sent. */
export class IssuerKeyError extends SendingError {
  override readonly name = "IssuerKeyError";

  constructor(cause: unknown) {
    super("The issuer couldn't sign.", { cause });
  }
}

/** A signature by a key that may be elsewhere. @throws IssuerKeyError */
export function wrapKeyErrors<Signature>(signature: Promise<Signature>): Promise<Signature> {
  return signature.catch((error: unknown) => {
    throw new IssuerKeyError(error);
  });
}

/** Transactions that an earlier run of the issuer sent are not mined yet, so what it attested is not known. */
export class IssuerRecoveringError extends SendingError {
  override readonly name = "IssuerRecoveringError";

  constructor() {
    super("The issuer has restarted and is waiting for its earlier transactions.");
  }
}

/** The node refused a transaction, or took its nonce for used, several times in a row. Nothing was sent. */
export class TransactionRefusedError extends SendingError {
  override readonly name = "TransactionRefusedError";

  constructor(cause: unknown) {
    super("The chain's node rejected the issuer's transaction.", { cause });
  }
}

/** The database with the issuer's open transactions does not answer. Nothing was sent. */
export class IssuerStoreError extends SendingError {
  override readonly name = "IssuerStoreError";

  constructor(cause: unknown) {
    super("The issuer's database is unavailable.", { cause });
  }
}
