import type { ContractErrorText } from "./contractErrorText.ts";

/** Resolver: its issuers and its settings. */
const issuerErrors: Record<string, ContractErrorText> = {
  NotIssuer: {
    sentence: "{account} is not an issuer that may do this: it was never added, retired or is distrusted.",
    action: "Use an active issuer; a retired one can only revoke. The resolver's owner adds issuers.",
  },
  IssuerKnown: {
    sentence: "{account} is or was an issuer, and an address is never added again.",
    action: "Add another address: a new key for the same issuer.",
  },
  IssuerActive: {
    sentence: "{account} is an active issuer, so it ends its statements itself.",
    action: "Have the issuer revoke the attestation, or retire or distrust the issuer first.",
  },
  NoFreeSeat: {
    sentence:
      "None of the {seats} seats for issuers is free; the last free one is kept for when no issuer is active.",
    action:
      "Wait until the seat of a retired or distrusted issuer is free (getIssuers() says when), or distrust one since 0.",
  },
  InvalidDistrust: {
    sentence: "An issuer can't be distrusted since {since:time}; the latest time possible is {latest:time}.",
    action: "Give an earlier time: it is never in the future, and only moves back.",
  },
  InvalidMaxTTL: {
    sentence: "A maximum lifetime of {ttl} s is outside {min} to {max} s.",
    action: "Choose a lifetime within the bounds.",
  },
  InvalidMaturation: {
    sentence: "A maturation of {maturation} s is outside {min} to {max} s.",
    action: "Choose a maturation within the bounds.",
  },
  InvalidChallengePeriod: {
    sentence: "A challenge period of {period} s is outside {min} to {max} s.",
    action: "Choose a period within the bounds.",
  },
  RenounceRefused: {
    sentence: "The resolver can't be left without an owner.",
    action: "Transfer the ownership instead.",
  },
};

/** Resolver: what issuers state, and their signatures. */
const statementErrors: Record<string, ContractErrorText> = {
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
  StaleStatement: {
    sentence:
      "The statement of {statedAt:time} is not newer than what was last stated or decided about it, at {newestAt:time}.",
    action: "Ask the issuer to check again and to state it anew.",
  },
  RecentlyRevoked: {
    sentence: "The issuer revoked this controller, and can't attest it again before {attestableFrom:time}.",
    action: "Try again after that time; until then a controller can be attested by another issuer.",
    retryable: true,
  },
  NothingToEnd: {
    sentence: "The issuer {issuer} has no attestation here that could be ended.",
    action: "Check the DID, the controller or dataHash, and the issuer; what ended already needs nothing.",
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
      "The signature's deadline {deadline:time} is not within a day after it was signed ({statedAt:time}).",
    action: "Ask the issuer for a new signature.",
  },
  InvalidStatedAt: {
    sentence:
      "The signature says it was made at {statedAt:time}, but it is {timestamp:time} on the chain and the issuer was added at {addedAt:time}.",
    action: "Try again in a moment; if it stays, the issuer's clock is wrong.",
    retryable: true,
  },
};

/** Resolver: controllers among themselves. */
const controllerErrors: Record<string, ContractErrorText> = {
  NotAttested: {
    sentence: "{account} has no live attestation for this DID.",
    action:
      "Have the DID verified for this account first; a challenge needs an incumbent who has a standing.",
  },
  ControllerCounts: {
    sentence: "{account} counts as a controller already, so it is too late to object.",
    action: "Challenge it, or have its issuers check it again.",
  },
  ControllerLate: {
    sentence: "{account} held the DID until less than 7 days ago and is only late with its renewal.",
    action: "Object once the 7 days have passed without a renewal.",
    retryable: true,
  },
  AlreadyObjected: {
    sentence: "{author} objects to {account} already.",
    action: "Nothing needs to be done; getObjections() says whether the objection is in force.",
  },
  NotObjected: {
    sentence: "{author} has no objection to {account}.",
    action: "Look the objections up with getObjections().",
  },
  TooManyObjections: {
    sentence: "{max} objections in force stand against this account already, each with no less standing.",
    action: "Nothing needs to be done: it does not count.",
  },
  SelfReference: {
    sentence: "{account} can't vouch for, object to or challenge itself.",
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
  ChallengeNotWon: {
    sentence:
      "{score} issuers speak for the challenger and {standing} for the incumbent, so nothing changes.",
    action:
      "Have more issuers attest the challenger; those who do after the opening count in a new challenge.",
  },
};

/** What the errors of the resolver mean, by name. */
export const resolverErrorTexts: Readonly<Record<string, ContractErrorText>> = {
  ...issuerErrors,
  ...statementErrors,
  ...controllerErrors,
};
