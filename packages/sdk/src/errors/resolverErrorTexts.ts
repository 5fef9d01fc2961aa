import type { ContractErrorText } from "./contractErrorText.ts";

/** Resolver: its issuers and its settings. */
const issuerErrors: Record<string, ContractErrorText> = {
  NotIssuer: {
    sentence: "{account} is not an active issuer.",
    action: "Use an active issuer; a retired one only revokes.",
  },
  IssuerKnown: {
    sentence: "{account} is or was an issuer.",
    action: "Add another address.",
  },
  IssuerActive: {
    sentence: "{account} is an active issuer: only it can end its statements.",
    action: "Have the issuer revoke, or retire it first.",
  },
  NoFreeSeat: {
    sentence: "None of the {seats} seats is free; the last one is assigned only while no issuer is active.",
    action: "Wait for a free seat (getIssuers() says when), or distrust a retired issuer since 0.",
  },
  InvalidDistrust: {
    sentence: "Distrust can't begin at {since:time}, only before {before:time}.",
    action: "Give an earlier time. Distrust since 0 can't be moved.",
  },
  InvalidMaxTTL: {
    sentence: "A maximum lifetime of {ttl} s is outside {min} to {max} s.",
    action: "Choose a time within the bounds.",
  },
  InvalidMaturation: {
    sentence: "A maturation of {maturation} s is outside {min} to {max} s.",
    action: "Choose a time within the bounds.",
  },
  InvalidChallengePeriod: {
    sentence: "A challenge period of {period} s is outside {min} to {max} s.",
    action: "Choose a time within the bounds.",
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
    sentence: "The statement of {statedAt:time} is not newer than the last one, of {newestAt:time}.",
    action: "Ask the issuer to check again and to make a new statement.",
  },
  RecentlyRevoked: {
    sentence: "The issuer revoked this controller, and can't attest it before {attestableFrom:time}.",
    action: "Attest it after that time.",
    retryable: true,
  },
  NothingToEnd: {
    sentence: "{issuer} never attested this.",
    action: "Check the DID, the controller or dataHash, and the issuer.",
  },
  InvalidSignature: {
    sentence: "The signature is not from issuer {issuer}.",
    action: "Ask the issuer for a new signature.",
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
      "The signature says it was made at {statedAt:time}; it is {timestamp:time} on the chain, and the issuer was added at {addedAt:time}.",
    action: "Try again in a moment. If that doesn't help, the issuer's clock is wrong.",
    retryable: true,
  },
};

/** Resolver: vouches, objections and challenges. */
const controllerErrors: Record<string, ContractErrorText> = {
  NotAttested: {
    sentence: "{account} has no live attestation for this DID.",
    action: "Have the DID verified for this account first.",
  },
  ControllerCounts: {
    sentence: "{account} already counts as a controller.",
    action: "Challenge it instead.",
  },
  AlreadyObjected: {
    sentence: "{author} already objects to {account}.",
    action: "Nothing needs to be done.",
  },
  NotObjected: {
    sentence: "{author} does not object to {account}.",
    action: "Nothing needs to be done.",
  },
  TooManyObjections: {
    sentence: "This account already has {max} objections in force.",
    action: "Nothing needs to be done: it doesn't count.",
  },
  SelfReference: {
    sentence: "{account} can't vouch for, object to or challenge itself.",
    action: "Name another account.",
  },
  ChallengeAlreadyOpen: {
    sentence: "{challenger} has already challenged {incumbent}.",
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
    sentence: "{score} issuers support the challenger, and {standing} the incumbent.",
    action: "Have more issuers attest the challenger, and open a new challenge.",
  },
};

/** What the errors of the resolver mean, by name. */
export const resolverErrorTexts: Readonly<Record<string, ContractErrorText>> = {
  ...issuerErrors,
  ...statementErrors,
  ...controllerErrors,
};
