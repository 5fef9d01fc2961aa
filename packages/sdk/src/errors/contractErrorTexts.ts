/** How one custom error of the contracts reads. */
export type ContractErrorText = {
  /** A sentence; `{name}` stands for the error's argument, `{name:format}` for a formatted one. */
  sentence: string;
  /** What to do about it, with the same placeholders. */
  action: string;
  /** True when the same transaction succeeds later, once time has passed. */
  retryable?: boolean;
};

/** Registry: who may do what to which record. */
const recordErrors: Record<string, ContractErrorText> = {
  InvalidDID: {
    sentence: 'The DID "{did}" is not canonical, or not a did:web or did:pkh.',
    action: "Normalise it with normalizeDid() before calling; it may hold at most 255 bytes.",
  },
  NotController: {
    sentence: "{account} does not count as a controller of this DID.",
    action:
      "Have the DID verified for this wallet first; a newcomer on a claimed DID also waits, or needs a vouch by a controller who counts.",
  },
  NotAuthorized: {
    sentence:
      "{caller} may not change record {tokenId}: it is not a minter, holder or operator who controls the DID now.",
    action: "Use the minter's or the holder's wallet, and renew its DID attestation if that has expired.",
  },
  AppAlreadyExists: {
    sentence: "Major version {major} of this DID is registered already.",
    action: "Publish an update of it, or register the next major version.",
  },
  AppNotFound: {
    sentence: "Nothing is registered for major version {major} of this DID.",
    action: "Check the DID and the version, and that you are on the right network.",
  },
  TokenNotFound: {
    sentence: "No record has token id {tokenId}.",
    action: "Check the token id and that you are on the right network.",
  },
  ReclaimContested: {
    sentence:
      "Record {tokenId} can't be reclaimed: {controller} is its minter or holder and still controls the DID.",
    action: "Settle it with that controller, or challenge it at the resolver.",
  },
  ReclaimAlreadyOpen: {
    sentence: "A reclaim of record {tokenId} by {claimant} runs already.",
    action: "Wait until it can be finished, or let it lapse.",
  },
  ReclaimNotOpen: {
    sentence: "No reclaim of record {tokenId} runs for this wallet.",
    action: "Open one first.",
  },
  ReclaimNotFinishable: {
    sentence: "The reclaim of record {tokenId} can't be finished before {finishableAt:time}.",
    action: "Finish it after that time.",
    retryable: true,
  },
};

/** Registry: versions, and the fields of a record. */
const fieldErrors: Record<string, ContractErrorText> = {
  MajorNotNext: {
    sentence: "Major version {major} is too far ahead: the latest one is {latestMajor}.",
    action: "Use at most the latest major version + 1.",
  },
  VersionNotGreater: {
    sentence: "Version {minor}.{patch} (minor.patch) is not above the current {currentMinor}.{currentPatch}.",
    action: "Choose a higher minor or patch version.",
  },
  VersionExhausted: {
    sentence: "Major version {major} has reached {major}.255.255 and takes no further update.",
    action: "Register the next major version.",
  },
  InvalidInterfaces: {
    sentence: "The interface bitmap {interfaces} is outside 1 to 7.",
    action: "Combine 1 (Human), 2 (API) and 4 (Contract).",
  },
  InterfaceRemoved: {
    sentence:
      "An update can't remove an interface: the record has {currentInterfaces}, the update {interfaces}.",
    action: "Keep the interfaces, or register a new major version without them.",
  },
  InterfaceChangeNeedsMinor: {
    sentence:
      "Changing the interfaces from {currentInterfaces} to {interfaces} needs a higher minor version.",
    action: "Raise the minor version.",
  },
  EmptyDataUrl: {
    sentence: "The dataUrl is empty.",
    action: "Give the URL at which the metadata JSON is served.",
  },
  DataUrlTooLong: {
    sentence: "The dataUrl has {length} bytes; at most {max} are allowed.",
    action: "Use a shorter URL.",
  },
  ZeroDataHash: {
    sentence: "The dataHash is zero.",
    action: "Hash the metadata with hashDocument().",
  },
  InvalidHashAlgorithm: {
    sentence: "Hash algorithm {algorithm} does not exist.",
    action: "Use 0 (keccak256) or 1 (sha256).",
  },
  DataHashMismatch: {
    sentence: "The metadata JSON hashes to {actual}, not to the given dataHash {expected}.",
    action: "Send the canonical text and the hash that hashDocument() returns together.",
  },
  ContractIdTooLong: {
    sentence: "The contractId has {length} bytes; at most {max} are allowed.",
    action: "Give a CAIP-10 id, or leave it empty.",
  },
  FungibleTokenIdTooLong: {
    sentence: "The fungibleTokenId has {length} bytes; at most {max} are allowed.",
    action: "Give a CAIP-19 id, or leave it empty.",
  },
  TooManyTraits: {
    sentence: "{count} traits are too many; at most {max} are allowed.",
    action: "Remove some traits.",
  },
  ZeroTrait: {
    sentence: "The trait hash at index {index} is zero.",
    action: "Hash each trait with traitHash().",
  },
  DuplicateTrait: {
    sentence: "The trait hash {traitHash} occurs twice.",
    action: "Name each trait once.",
  },
  InvalidStatus: {
    sentence: "Status {status} does not exist.",
    action: "Use 0 (Active), 1 (Deprecated) or 2 (Replaced).",
  },
  StatusUnchanged: {
    sentence: "The record has status {status:status} already.",
    action: "Nothing needs to be done.",
  },
  InvalidLimit: {
    sentence: "A page of {limit} records can't be read.",
    action: "Use a limit from 1 to 100.",
  },
};

const metadataErrors: Record<string, ContractErrorText> = {
  OnlyRegistry: {
    sentence: "{caller} may not write to the metadata store: only its registry may.",
    action: "Store metadata with mint, updateAppControlled or republishMetadata of the registry.",
  },
  MetadataTooLarge: {
    sentence: "The metadata JSON has {size} bytes; at most {max} fit on the chain.",
    action: "Host it at your own dataUrl and send an empty metadataJson.",
  },
  DeploymentFailed: {
    sentence: "The chain could not store the metadata JSON.",
    action: "Raise the gas limit, or host the JSON at your own dataUrl.",
  },
};

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

/** Errors that the contracts inherit: ERC-6093 (ERC-721) and OpenZeppelin. */
const inheritedErrors: Record<string, ContractErrorText> = {
  ERC721IncorrectOwner: {
    sentence: "{sender} does not hold token {tokenId}; {owner} does.",
    action: "Transfer from the holder's wallet.",
  },
  ERC721InsufficientApproval: {
    sentence: "{operator} may not move token {tokenId}.",
    action: "Use the holder's wallet, or have the holder approve this one.",
  },
  ERC721InvalidApprover: {
    sentence: "{approver} may not approve others for this token.",
    action: "Use the holder's wallet.",
  },
  ERC721InvalidOperator: {
    sentence: "{operator} can't be an operator.",
    action: "Give the operator's address.",
  },
  ERC721InvalidOwner: {
    sentence: "{owner} can't hold a token.",
    action: "Give an account's address.",
  },
  ERC721InvalidReceiver: {
    sentence: "{receiver} can't receive a token.",
    action: "Give a wallet, or a contract that accepts ERC-721 tokens.",
  },
  ERC721InvalidSender: {
    sentence: "{sender} can't send a token.",
    action: "Transfer from the holder's wallet.",
  },
  ERC721NonexistentToken: {
    sentence: "No record has token id {tokenId}.",
    action: "Check the token id and that you are on the right network.",
  },
  ERC721OutOfBoundsIndex: {
    sentence: "There is no token at index {index}.",
    action: "Use an index below totalSupply().",
  },
  ERC721EnumerableForbiddenBatchMint: {
    sentence: "Several tokens can't be minted at once.",
    action: "Mint them one by one.",
  },
  OwnableInvalidOwner: {
    sentence: "{owner} can't own the resolver.",
    action: "Give an account's address.",
  },
  OwnableUnauthorizedAccount: {
    sentence: "{account} is not the resolver's owner.",
    action: "Use the owner's wallet.",
  },
  InvalidShortString: {
    sentence: "A contract holds a string that it can't read.",
    action: "Report this: the deployment is damaged.",
  },
  StringTooLong: {
    sentence: 'The text "{str}" is too long for the contract.',
    action: "Use a shorter text.",
  },
};

/** Every custom error that a call of the three contracts can revert with, by name. */
export const contractErrorTexts: Readonly<Record<string, ContractErrorText>> = {
  ...recordErrors,
  ...fieldErrors,
  ...metadataErrors,
  ...issuerErrors,
  ...controllerErrors,
  ...inheritedErrors,
};
