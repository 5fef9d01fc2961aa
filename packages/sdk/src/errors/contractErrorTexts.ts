/** Message of a custom error of the contracts. */
export type ContractErrorText = {
  /** Sentence. `{name}` is replaced by the error's argument, `{name:format}` by a formatted one. */
  sentence: string;
  /** Suggested action, with the same placeholders. */
  action: string;
  /** True if the same transaction succeeds later. */
  retryable?: boolean;
};

/** Messages of the registry about permissions and records. */
const recordErrors: Record<string, ContractErrorText> = {
  InvalidDID: {
    sentence: '"{did}" is not a did:web or did:pkh in canonical form.',
    action: "Normalize it with normalizeDid() first. A DID can have at most 255 bytes.",
  },
  NotController: {
    sentence: "{account} is not a current controller of this DID.",
    action:
      "First get an attestation that the account controls the DID. getController() explains why the account isn't a current controller.",
  },
  NotAuthorized: {
    sentence:
      "{caller} can't change record {tokenId}. It must be the minter or the holder (or an operator of the holder), and that minter or holder must control the DID now.",
    action:
      "Use the minter's or holder's wallet, and make sure its attestation is current. The minter's part ends when another account finishes a reclaim.",
  },
  AppAlreadyExists: {
    sentence: "Major version {major} of this DID is already registered.",
    action: "Publish an update, or register the next major version.",
  },
  AppNotFound: {
    sentence: "This DID has no record with major version {major}.",
    action: "Check the DID, the version and the network.",
  },
  TokenNotFound: {
    sentence: "No record has token id {tokenId}.",
    action: "Check the token id and the network.",
  },
  ReclaimContested: {
    sentence:
      "Record {tokenId} can't be reclaimed: its minter or holder {account} controls the DID, or did within the last 7 days.",
    action:
      "Reach an agreement with that account, or challenge it in the resolver. If you control the DID and hold the token, the minter can't contest your reclaim.",
  },
  ReclaimAlreadyOpen: {
    sentence: "{claimant} already has an open reclaim of record {tokenId}.",
    action: "Finish it from 30 to 60 days after it was opened.",
  },
  ReclaimNotOpen: {
    sentence: "{claimant} has no open reclaim of record {tokenId}.",
    action:
      "Open one first. A reclaim expires after 60 days. It also ends when a minter or holder who controls the DID acts on the record.",
  },
  ReclaimNotFinishable: {
    sentence: "The reclaim of record {tokenId} can't be finished before {finishableFrom:time}.",
    action: "Finish it after that time.",
    retryable: true,
  },
};

/** Messages of the registry about versions and the fields of a record. */
const fieldErrors: Record<string, ContractErrorText> = {
  MintTooEarly: {
    sentence: "This DID's next major version can't be registered before {mintableFrom:time}.",
    action:
      "Register it after that time: from the third on, a DID's major versions are at least a day apart.",
    retryable: true,
  },
  MajorNotNext: {
    sentence: "Major version {major} is too far ahead: the latest one is {latestMajor}.",
    action: "Use at most the latest major version plus 1.",
  },
  VersionNotGreater: {
    sentence:
      "Version {minor}.{patch} (minor.patch) is not higher than the current {currentMinor}.{currentPatch}.",
    action: "Choose a higher minor or patch version.",
  },
  VersionExhausted: {
    sentence: "Major version {major} has reached {major}.255.255 and can't be updated further.",
    action: "Register the next major version.",
  },
  VersionTaken: {
    sentence: "Version {major}.{minor}.{patch} has already been published.",
    action: "Choose a version that has never been published.",
  },
  InvalidInterfaces: {
    sentence: "The interface bitmap {interfaces} is outside 1 to 7.",
    action: "Combine 1 (Human), 2 (API) and 4 (Contract).",
  },
  InterfaceRemoved: {
    sentence: "An update can't remove an interface (from {currentInterfaces} to {interfaces}).",
    action: "Keep them all, or register the next major version.",
  },
  InterfaceChangeNeedsMinor: {
    sentence:
      "Changing the interfaces from {currentInterfaces} to {interfaces} needs a higher minor version.",
    action: "Raise the minor version.",
  },
  EmptyDataUrl: {
    sentence: "The dataUrl is empty.",
    action: "Pass the URL that serves the metadata JSON.",
  },
  DataUrlTooLong: {
    sentence: "The dataUrl has {length} bytes; at most {max} are allowed.",
    action: "Use a shorter URL.",
  },
  ZeroDataHash: {
    sentence: "The dataHash is empty (all zeros).",
    action: "Hash the metadata with hashDocument().",
  },
  InvalidHashAlgorithm: {
    sentence: "Hash algorithm {algorithm} does not exist.",
    action: "Use 0 (keccak256) or 1 (sha256).",
  },
  DataHashMismatch: {
    sentence: "The metadata JSON hashes to {actual}, which doesn't match the given dataHash {expected}.",
    action: "Use the text and hash returned by hashDocument().",
  },
  ContractIdTooLong: {
    sentence: "The contractId has {length} bytes; at most {max} are allowed.",
    action: "Use a CAIP-10 id, or leave it empty.",
  },
  FungibleTokenIdTooLong: {
    sentence: "The fungibleTokenId has {length} bytes; at most {max} are allowed.",
    action: "Use a CAIP-19 id, or leave it empty.",
  },
  TooManyTraits: {
    sentence: "Too many traits: {count}. At most {max} are allowed.",
    action: "Remove some traits.",
  },
  ZeroTrait: {
    sentence: "The trait hash at index {index} is empty (all zeros).",
    action: "Hash each trait with traitHash().",
  },
  DuplicateTrait: {
    sentence: "The trait hash {traitHash} is listed twice.",
    action: "List each trait once.",
  },
  InvalidStatus: {
    sentence: "Status {status} does not exist.",
    action: "Use 0 (Active), 1 (Deprecated) or 2 (Replaced).",
  },
  StatusUnchanged: {
    sentence: "The record already has status {status:status}.",
    action: "No action needed.",
  },
  InvalidLimit: {
    sentence: "A page limit of {limit} is not allowed.",
    action: "Use a limit from 1 to 100.",
  },
};

const metadataErrors: Record<string, ContractErrorText> = {
  OnlyRegistry: {
    sentence: "{caller} can't write to the metadata store. Only the registry can.",
    action: "Store the JSON through the registry.",
  },
  EmptyMetadata: {
    sentence: "The metadata JSON is empty.",
    action: "Pass the text that hashes to the record's dataHash.",
  },
  MetadataTooLarge: {
    sentence: "The metadata JSON has {size} bytes, but at most {max} can be stored on the chain.",
    action: "Host it at your own dataUrl and pass an empty metadataJson.",
  },
};

/** Messages of the errors of the registry and its metadata store, by name. */
const registryErrorTexts: Readonly<Record<string, ContractErrorText>> = {
  ...recordErrors,
  ...fieldErrors,
  ...metadataErrors,
};

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

const resolverErrorTexts: Readonly<Record<string, ContractErrorText>> = {
  ...issuerErrors,
  ...statementErrors,
  ...controllerErrors,
};

/** Messages of errors that the contracts inherit: ERC-6093 (ERC-721) and OpenZeppelin. */
const inheritedErrorTexts: Readonly<Record<string, ContractErrorText>> = {
  ERC721IncorrectOwner: {
    sentence: "{sender} does not hold token {tokenId}; {owner} does.",
    action: "Transfer from the holder's wallet.",
  },
  ERC721InsufficientApproval: {
    sentence: "{operator} isn't allowed to transfer token {tokenId}.",
    action: "Use the holder's wallet, or have the holder approve this one.",
  },
  ERC721InvalidApprover: {
    sentence: "{approver} isn't allowed to approve operators for this token.",
    action: "Use the holder's wallet.",
  },
  ERC721InvalidOperator: {
    sentence: "{operator} can't be an operator.",
    action: "Use the operator's address.",
  },
  ERC721InvalidOwner: {
    sentence: "{owner} can't hold a token.",
    action: "Use the address of an account.",
  },
  ERC721InvalidReceiver: {
    sentence: "{receiver} can't receive a token.",
    action: "Use a wallet, or a contract that accepts ERC-721 tokens.",
  },
  ERC721InvalidSender: {
    sentence: "{sender} can't send a token.",
    action: "Transfer from the holder's wallet.",
  },
  ERC721NonexistentToken: {
    sentence: "No record has token id {tokenId}.",
    action: "Check the token id and the network.",
  },
  OwnableInvalidOwner: {
    sentence: "{owner} can't own the resolver.",
    action: "Use the address of an account.",
  },
  OwnableUnauthorizedAccount: {
    sentence: "{account} is not the resolver's owner.",
    action: "Use the owner's wallet.",
  },
};

/** Messages of every custom error of the three contracts, by name. */
export const contractErrorTexts: Readonly<Record<string, ContractErrorText>> = {
  ...registryErrorTexts,
  ...resolverErrorTexts,
  ...inheritedErrorTexts,
};
