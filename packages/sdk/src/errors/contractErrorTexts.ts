/**
 * Message of a custom error: a sentence, the suggested action, and true if the same transaction succeeds later. `{name}`
 * is replaced by the error's argument, `{name:format}` by a formatted one.
 */
export type ContractErrorText = readonly [sentence: string, action: string, retryable?: true];

/** Messages of every custom error of the three contracts, by name. */
export const contractErrorTexts: Readonly<Record<string, ContractErrorText>> = {
  // The registry, about permissions and records.
  InvalidDID: [
    '"{did}" is not a did:web or did:pkh in canonical form.',
    "Normalize it with normalizeDid() first. A DID can have at most 255 bytes.",
  ],
  NotController: [
    "{account} is not a current controller of this DID.",
    "First get an attestation that the account controls the DID. getController() explains why the account isn't a current controller.",
  ],
  NotAuthorized: [
    "{caller} can't change record {tokenId}. It must be the minter or the holder (or an operator of the holder), and that minter or holder must control the DID now.",
    "Use the minter's or holder's wallet, and make sure its attestation is current. The minter's part ends when another account finishes a reclaim.",
  ],
  AppAlreadyExists: [
    "Major version {major} of this DID is already registered.",
    "Publish an update, or register the next major version.",
  ],
  AppNotFound: [
    "This DID has no record with major version {major}.",
    "Check the DID, the version and the network.",
  ],
  TokenNotFound: ["No record has token id {tokenId}.", "Check the token id and the network."],
  ReclaimContested: [
    "Record {tokenId} can't be reclaimed: its minter or holder {account} controls the DID, or did within the last 7 days.",
    "Reach an agreement with that account, or challenge it in the resolver. If you control the DID and hold the token, the minter can't contest your reclaim.",
  ],
  ReclaimAlreadyOpen: [
    "{claimant} already has an open reclaim of record {tokenId}.",
    "Finish it from 30 to 60 days after it was opened.",
  ],
  ReclaimNotOpen: [
    "{claimant} has no open reclaim of record {tokenId}.",
    "Open one first. A reclaim expires after 60 days. It also ends when a minter or holder who controls the DID acts on the record.",
  ],
  ReclaimNotFinishable: [
    "The reclaim of record {tokenId} can't be finished before {finishableFrom:time}.",
    "Finish it after that time.",
    true,
  ],

  // The registry, about versions and the fields of a record.
  MintTooEarly: [
    "This DID's next major version can't be registered before {mintableFrom:time}.",
    "Register it after that time: from the third on, a DID's major versions are at least a day apart.",
    true,
  ],
  MajorNotNext: [
    "Major version {major} is too far ahead: the latest one is {latestMajor}.",
    "Use at most the latest major version plus 1.",
  ],
  VersionNotGreater: [
    "Version {minor}.{patch} (minor.patch) is not higher than the current {currentMinor}.{currentPatch}.",
    "Choose a higher minor or patch version.",
  ],
  VersionExhausted: [
    "Major version {major} has reached {major}.255.255 and can't be updated further.",
    "Register the next major version.",
  ],
  VersionTaken: [
    "Version {major}.{minor}.{patch} has already been published.",
    "Choose a version that has never been published.",
  ],
  InvalidInterfaces: [
    "The interface bitmap {interfaces} is outside 1 to 7.",
    "Combine 1 (Human), 2 (API) and 4 (Contract).",
  ],
  InterfaceRemoved: [
    "An update can't remove an interface (from {currentInterfaces} to {interfaces}).",
    "Keep them all, or register the next major version.",
  ],
  InterfaceChangeNeedsMinor: [
    "Changing the interfaces from {currentInterfaces} to {interfaces} needs a higher minor version.",
    "Raise the minor version.",
  ],
  EmptyDataUrl: ["The dataUrl is empty.", "Pass the URL that serves the metadata JSON."],
  DataUrlTooLong: ["The dataUrl has {length} bytes; at most {max} are allowed.", "Use a shorter URL."],
  ZeroDataHash: ["The dataHash is empty (all zeros).", "Hash the metadata with hashDocument()."],
  InvalidHashAlgorithm: ["Hash algorithm {algorithm} does not exist.", "Use 0 (keccak256) or 1 (sha256)."],
  DataHashMismatch: [
    "The metadata JSON hashes to {actual}, which doesn't match the given dataHash {expected}.",
    "Use the text and hash returned by hashDocument().",
  ],
  ContractIdTooLong: [
    "The contractId has {length} bytes; at most {max} are allowed.",
    "Use a CAIP-10 id, or leave it empty.",
  ],
  FungibleTokenIdTooLong: [
    "The fungibleTokenId has {length} bytes; at most {max} are allowed.",
    "Use a CAIP-19 id, or leave it empty.",
  ],
  TooManyTraits: ["Too many traits: {count}. At most {max} are allowed.", "Remove some traits."],
  ZeroTrait: ["The trait hash at index {index} is empty (all zeros).", "Hash each trait with traitHash()."],
  DuplicateTrait: ["The trait hash {traitHash} is listed twice.", "List each trait once."],
  InvalidStatus: ["Status {status} does not exist.", "Use 0 (Active), 1 (Deprecated) or 2 (Replaced)."],
  StatusUnchanged: ["The record already has status {status:status}.", "No action needed."],
  InvalidLimit: ["A page limit of {limit} is not allowed.", "Use a limit from 1 to 100."],

  // The metadata store.
  OnlyRegistry: [
    "{caller} can't write to the metadata store. Only the registry can.",
    "Store the JSON through the registry.",
  ],
  EmptyMetadata: ["The metadata JSON is empty.", "Pass the text that hashes to the record's dataHash."],
  MetadataTooLarge: [
    "The metadata JSON has {size} bytes, but at most {max} can be stored on the chain.",
    "Host it at your own dataUrl and pass an empty metadataJson.",
  ],

  // The resolver, about its issuers and its settings.
  NotIssuer: ["{account} is not an active issuer.", "Use an active issuer. A retired one can only revoke."],
  IssuerKnown: [
    "{account} has already been added as an issuer.",
    "Use a new address. An address can't be added again.",
  ],
  IssuerActive: [
    "{account} is an active issuer, so only it can end its statements.",
    "Ask the issuer to revoke, or retire it first.",
  ],
  NoFreeSeat: [
    "No seat is available ({seats} in total). The last free seat is only assigned while no issuer is active.",
    "Wait for a free seat (getIssuers() shows when), or distrust a retired issuer from time 0.",
  ],
  InvalidDistrust: [
    "Distrust can't start at {since:time}. It must start before {before:time}.",
    "Use an earlier time. Distrust from time 0 can't be changed.",
  ],
  SettingOutOfBounds: [
    "A resolver can't be created with a time of {value} s. It must be between {min} and {max} s.",
    "Choose a value in this range.",
  ],
  RenounceRefused: ["The resolver can't be left without an owner.", "Transfer ownership instead."],

  // The resolver, about statements of issuers and their signatures.
  ZeroAddress: ["The zero address can't be an issuer or a controller.", "Use the account's address."],
  ZeroHash: [
    "The zero hash doesn't identify a DID or a document.",
    "Compute it with didHash() or hashDocument().",
  ],
  ExpiresInPast: [
    "The expiry {expiresAt:time} is in the past. The chain's time is {timestamp:time}.",
    "Use a time in the future, or 0 for the maximum lifetime.",
  ],
  ExpiresTooLate: [
    "The expiry {expiresAt:time} is too late. The latest allowed is {max:time}.",
    "Use an earlier time, or 0 for the maximum lifetime.",
  ],
  ExpiresBeforeMaturing: [
    "The attestation would expire at {expiresAt:time}, before it matures at {maturesAt:time}.",
    "Use a later expiry, or 0 for the maximum lifetime.",
  ],
  StaleStatement: [
    "The signed statement from {statedAt:time} is outdated. A newer or equally recent one exists, from {newestAt:time}.",
    "Ask the issuer to check again and sign a new statement.",
  ],
  RecentlyRevoked: [
    "The issuer revoked this and can't attest it again before {attestableFrom:time}.",
    "Try again after that time.",
    true,
  ],
  NothingToEnd: [
    "{issuer} has never attested this.",
    "Check the DID, the controller or dataHash, and the issuer.",
  ],
  InvalidSignature: ["The signature is not from issuer {issuer}.", "Ask the issuer for a new signature."],
  SignatureExpired: [
    "The issuer's signature expired at {deadline:time}. The chain's time is {timestamp:time}.",
    "Ask the issuer for a new signature.",
  ],
  InvalidDeadline: [
    "The signature's deadline {deadline:time} must be within one day of signing ({statedAt:time}).",
    "Ask the issuer for a new signature.",
  ],
  InvalidStatedAt: [
    "The signing time {statedAt:time} is not valid. It must be between {addedAt:time}, when the issuer was added, and {timestamp:time}, the chain's current time.",
    "Try again in a moment. If that doesn't help, the issuer's clock is wrong.",
    true,
  ],

  // The resolver, about blocks and challenges.
  NotInCharge: [
    "{account} doesn't control this DID, so it can neither block nor unblock.",
    "Use the wallet of a current controller, or of one whose renewal is overdue.",
  ],
  AccountInCharge: [
    "{account} controls this DID or has an overdue renewal, so you can't block it.",
    "Challenge it instead.",
  ],
  NobodyBlocked: [
    "The batch blocks nobody: it is empty, or all its accounts control their DIDs or have an overdue renewal.",
    "Challenge these accounts instead.",
  ],
  TooEarlyToBlock: [
    "Nobody can be blocked from this DID before {blockableFrom:time}.",
    "Block the account after that time. Until then nobody else's control takes effect.",
    true,
  ],
  InvalidBlockEnd: [
    "A block can't end at {until:time}. It must end in the future, and by {max:time}.",
    "Use a time in this range. A block can be extended later.",
  ],
  NotBlocked: ["There is no block on {account}, or it has ended.", "No action needed."],
  NotAttested: [
    "{account} has no attestation that this challenge needs.",
    "A challenger needs a matured attestation. An account without an attestation in the last 7 days can't be challenged: block it instead.",
  ],
  SelfReference: ["{account} can't block or challenge itself.", "Choose another account."],
  ChallengeAlreadyOpen: [
    "{challenger} has already challenged {incumbent}.",
    "Resolve that challenge, or wait until it expires.",
  ],
  ChallengeNotOpen: [
    "There is no open challenge of {incumbent} by {challenger}.",
    "Open a new challenge. Challenges that aren't resolved in time expire.",
  ],
  ChallengeNotResolvable: [
    "The challenge can't be resolved before {resolvableFrom:time}.",
    "Resolve it after that time.",
    true,
  ],
  ChallengeNotWon: [
    "Not enough support: {score} issuers back the challenger and {resistance} back the challenged controller.",
    "Get more issuers to attest the challenger, then open a new challenge.",
  ],

  // Inherited from ERC-6093 (ERC-721) and OpenZeppelin.
  ERC721IncorrectOwner: [
    "{sender} does not hold token {tokenId}; {owner} does.",
    "Transfer from the holder's wallet.",
  ],
  ERC721InsufficientApproval: [
    "{operator} isn't allowed to transfer token {tokenId}.",
    "Use the holder's wallet, or have the holder approve this one.",
  ],
  ERC721InvalidApprover: [
    "{approver} isn't allowed to approve operators for this token.",
    "Use the holder's wallet.",
  ],
  ERC721InvalidOperator: ["{operator} can't be an operator.", "Use the operator's address."],
  ERC721InvalidOwner: ["{owner} can't hold a token.", "Use the address of an account."],
  ERC721InvalidReceiver: [
    "{receiver} can't receive a token.",
    "Use a wallet, or a contract that accepts ERC-721 tokens.",
  ],
  ERC721InvalidSender: ["{sender} can't send a token.", "Transfer from the holder's wallet."],
  ERC721NonexistentToken: ["No record has token id {tokenId}.", "Check the token id and the network."],
  OwnableInvalidOwner: ["{owner} can't own the resolver.", "Use the address of an account."],
  OwnableUnauthorizedAccount: ["{account} is not the resolver's owner.", "Use the owner's wallet."],
};
