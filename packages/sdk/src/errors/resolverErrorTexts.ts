import type { ContractErrorText } from "./contractErrorText.ts";

/** Messages of the resolver about its issuers and its settings. */
const issuerErrors: Record<string, ContractErrorText> = {
  NotIssuer: {
    sentence: "{account} is not an active issuer.",
    action: "Use an active issuer. A retired one can only revoke.",
  },
  IssuerKnown: {
    sentence: "{account} has already been added as an issuer.",
    action: "Use a new address. An address can't be added again.",
  },
  IssuerActive: {
    sentence: "{account} is an active issuer, so only it can end its statements.",
    action: "Ask the issuer to revoke, or retire it first.",
  },
  NoFreeSeat: {
    sentence:
      "No seat is available ({seats} in total). The last free seat is only assigned while no issuer is active.",
    action: "Wait for a free seat (getIssuers() shows when), or distrust a retired issuer from time 0.",
  },
  InvalidDistrust: {
    sentence: "Distrust can't start at {since:time}. It must start before {before:time}.",
    action: "Use an earlier time. Distrust from time 0 can't be changed.",
  },
  SettingOutOfBounds: {
    sentence: "A resolver can't be created with a time of {value} s. It must be between {min} and {max} s.",
    action: "Choose a value in this range.",
  },
  RenounceRefused: {
    sentence: "The resolver can't be left without an owner.",
    action: "Transfer ownership instead.",
  },
};

/** Messages of the resolver about statements of issuers and their signatures. */
const statementErrors: Record<string, ContractErrorText> = {
  ZeroAddress: {
    sentence: "The zero address can't be an issuer or a controller.",
    action: "Use the account's address.",
  },
  ZeroHash: {
    sentence: "The zero hash doesn't identify a DID or a document.",
    action: "Compute it with didHash() or hashDocument().",
  },
  ExpiresInPast: {
    sentence: "The expiry {expiresAt:time} is in the past. The chain's time is {timestamp:time}.",
    action: "Use a time in the future, or 0 for the maximum lifetime.",
  },
  ExpiresTooLate: {
    sentence: "The expiry {expiresAt:time} is too late. The latest allowed is {max:time}.",
    action: "Use an earlier time, or 0 for the maximum lifetime.",
  },
  ExpiresBeforeMaturing: {
    sentence: "The attestation would expire at {expiresAt:time}, before it matures at {maturesAt:time}.",
    action: "Use a later expiry, or 0 for the maximum lifetime.",
  },
  StaleStatement: {
    sentence:
      "The signed statement from {statedAt:time} is outdated. A newer or equally recent one exists, from {newestAt:time}.",
    action: "Ask the issuer to check again and sign a new statement.",
  },
  RecentlyRevoked: {
    sentence: "The issuer revoked this and can't attest it again before {attestableFrom:time}.",
    action: "Try again after that time.",
    retryable: true,
  },
  NothingToEnd: {
    sentence: "{issuer} has never attested this.",
    action: "Check the DID, the controller or dataHash, and the issuer.",
  },
  InvalidSignature: {
    sentence: "The signature is not from issuer {issuer}.",
    action: "Ask the issuer for a new signature.",
  },
  SignatureExpired: {
    sentence: "The issuer's signature expired at {deadline:time}. The chain's time is {timestamp:time}.",
    action: "Ask the issuer for a new signature.",
  },
  InvalidDeadline: {
    sentence: "The signature's deadline {deadline:time} must be within one day of signing ({statedAt:time}).",
    action: "Ask the issuer for a new signature.",
  },
  InvalidStatedAt: {
    sentence:
      "The signing time {statedAt:time} is not valid. It must be between {addedAt:time}, when the issuer was added, and {timestamp:time}, the chain's current time.",
    action: "Try again in a moment. If that doesn't help, the issuer's clock is wrong.",
    retryable: true,
  },
};

/** Messages of the resolver about blocks and challenges. */
const controllerErrors: Record<string, ContractErrorText> = {
  NotInCharge: {
    sentence: "{account} doesn't control this DID, so it can neither block nor unblock.",
    action: "Use the wallet of a current controller, or of one whose renewal is overdue.",
  },
  AccountInCharge: {
    sentence: "{account} controls this DID or has an overdue renewal, so you can't block it.",
    action: "Challenge it instead.",
  },
  NobodyBlocked: {
    sentence:
      "The batch blocks nobody: it is empty, or all its accounts control their DIDs or have an overdue renewal.",
    action: "Challenge these accounts instead.",
  },
  TooEarlyToBlock: {
    sentence: "Nobody can be blocked from this DID before {blockableFrom:time}.",
    action: "Block the account after that time. Until then nobody else's control takes effect.",
    retryable: true,
  },
  InvalidBlockEnd: {
    sentence: "A block can't end at {until:time}. It must end in the future, and by {max:time}.",
    action: "Use a time in this range. A block can be extended later.",
  },
  NotBlocked: {
    sentence: "There is no block on {account}, or it has ended.",
    action: "No action needed.",
  },
  NotAttested: {
    sentence: "{account} has no attestation that this challenge needs.",
    action:
      "A challenger needs a matured attestation. An account without an attestation in the last 7 days can't be challenged: block it instead.",
  },
  SelfReference: {
    sentence: "{account} can't block or challenge itself.",
    action: "Choose another account.",
  },
  ChallengeAlreadyOpen: {
    sentence: "{challenger} has already challenged {incumbent}.",
    action: "Resolve that challenge, or wait until it expires.",
  },
  ChallengeNotOpen: {
    sentence: "There is no open challenge of {incumbent} by {challenger}.",
    action: "Open a new challenge. Challenges that aren't resolved in time expire.",
  },
  ChallengeNotResolvable: {
    sentence: "The challenge can't be resolved before {resolvableFrom:time}.",
    action: "Resolve it after that time.",
    retryable: true,
  },
  ChallengeNotWon: {
    sentence:
      "Not enough support: {score} issuers back the challenger and {resistance} back the challenged controller.",
    action: "Get more issuers to attest the challenger, then open a new challenge.",
  },
};

/** Messages of the errors of the resolver, by name. */
export const resolverErrorTexts: Readonly<Record<string, ContractErrorText>> = {
  ...issuerErrors,
  ...statementErrors,
  ...controllerErrors,
};
