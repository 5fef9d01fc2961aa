import type { ContractErrorText } from "./contractErrorText.ts";

/** Resolver: issuers, their attestations and signatures. */
const issuerErrors: Record<string, ContractErrorText> = {
  NotIssuer: {
    sentence: "{account} is not an authorised issuer.",
    action: "Ask the resolver's owner to authorise it.",
  },
  AlreadyIssuer: {
    sentence: "{account} is an authorised issuer already.",
    action: "Nothing needs to be done.",
  },
  TooManyIssuers: {
    sentence: "The resolver has {max} issuers already, which is the most it takes.",
    action: "Remove an issuer first.",
  },
  ZeroAddress: {
    sentence: "The zero address can't be an issuer or a controller.",
    action: "Give the account's address.",
  },
  ZeroHash: {
    sentence: "The zero hash names no DID and no document.",
    action: "Compute it with didHash() or hashDocument().",
  },
  ExpiresInPast: {
    sentence: "The attestation would have expired at {expiresAt:time}; it is {timestamp:time} on the chain.",
    action: "Give a time in the future, or 0 for the longest lifetime.",
  },
  ExpiresTooLate: {
    sentence: "The attestation would expire at {expiresAt:time}; the latest possible is {max:time}.",
    action: "Give an earlier time, or 0 for the longest lifetime.",
  },
  NothingToRevoke: {
    sentence: "{issuer} has no attestation of {subject} for this DID.",
    action: "Check the DID and the subject; an issuer revokes only its own attestations.",
  },
  InvalidMaxTTL: {
    sentence: "A maximum lifetime of {ttl} s is outside {min} to {max} s.",
    action: "Choose a lifetime within the bounds.",
  },
  InvalidMaturation: {
    sentence: "A maturation of {maturation} s is outside {min} to {max} s.",
    action: "Choose a maturation within the bounds.",
  },
  InvalidSignature: {
    sentence: "The signature is not one of issuer {issuer}.",
    action: "Have the issuer sign again for this chain and this resolver.",
  },
  SignatureExpired: {
    sentence:
      "The issuer's signature could be used until {deadline:time}; it is {timestamp:time} on the chain.",
    action: "Ask the issuer for a new signature.",
  },
  InvalidDeadline: {
    sentence:
      "The signature's deadline {deadline:time} is not within a day after it was issued ({issuedAt:time}).",
    action: "Ask the issuer for a new signature.",
  },
  IssuedInFuture: {
    sentence:
      "The signature says it was issued at {issuedAt:time}; it is only {timestamp:time} on the chain.",
    action: "Try again in a moment; if it stays, the issuer's clock is wrong.",
    retryable: true,
  },
  IssuerEpochMismatch: {
    sentence:
      "The signature was made under authorisation {epoch} of {issuer}; the current one is {currentEpoch}.",
    action: "Ask the issuer for a new signature.",
  },
  SignatureSuperseded: {
    sentence: "What was signed at {issuedAt:time} was revoked or ousted at {supersededAt:time}.",
    action: "Ask the issuer to check again and sign anew.",
  },
  NonceUsed: {
    sentence: "Nonce {nonce} of {issuer} was used or cancelled.",
    action: "Ask the issuer for a new signature.",
  },
};

/** Resolver: controllers among themselves. */
const controllerErrors: Record<string, ContractErrorText> = {
  NotAttested: {
    sentence: "{account} has no live attestation for this DID.",
    action: "Have the DID verified for this wallet first.",
  },
  VouchedCannotVouch: {
    sentence: "{voucher} counts only because of a vouch, so it can't vouch for others.",
    action: "Have a controller vouch who counts by itself.",
  },
  NotWaiting: {
    sentence: "{controller} is not waiting: it counts already, or is not attested.",
    action: "Look the controller up with getController().",
  },
  RejectionStands: {
    sentence: "Another controller's rejection stands against {controller}, so a vouch would have no effect.",
    action: "Settle it with that controller, or challenge it at the resolver.",
  },
  TooManyRejections: {
    sentence: "{max} rejections stand against this controller already.",
    action: "Nothing needs to be done: it does not count.",
  },
  SelfReference: {
    sentence: "{account} can't vouch for, reject or challenge itself.",
    action: "Name another account.",
  },
  ChallengeAlreadyOpen: {
    sentence: "{challenger} has challenged {incumbent} already.",
    action: "Resolve that challenge, or wait until it is void.",
  },
  ChallengeNotOpen: {
    sentence: "There is no open challenge of {incumbent} by {challenger}.",
    action: "Open a challenge; one that was not resolved in time is void.",
  },
  ChallengeNotResolvable: {
    sentence: "The challenge can't be resolved before {resolvableFrom:time}.",
    action: "Resolve it after that time.",
    retryable: true,
  },
  RenounceRefused: {
    sentence: "The resolver can't be left without an owner.",
    action: "Transfer the ownership instead.",
  },
};

/** What the errors of the resolver mean, by name. */
export const resolverErrorTexts: Readonly<Record<string, ContractErrorText>> = {
  ...issuerErrors,
  ...controllerErrors,
};
