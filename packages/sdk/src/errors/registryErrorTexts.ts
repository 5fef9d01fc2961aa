import type { ContractErrorText } from "./contractErrorText.ts";

/** Registry: who may do what to which record. */
const recordErrors: Record<string, ContractErrorText> = {
  InvalidDID: {
    sentence: 'The DID "{did}" is not canonical, or not a did:web or did:pkh.',
    action: "Normalise it with normalizeDid() before calling; it may hold at most 255 bytes.",
  },
  NotController: {
    sentence: "{account} does not count as a controller of this DID.",
    action: "Have the DID verified for this wallet first; getController() says why it does not count.",
  },
  NotAuthorized: {
    sentence: "{caller} is not a minter, holder or operator of record {tokenId} who controls the DID now.",
    action: "Use the minter's or the holder's wallet, and renew its attestation.",
  },
  AppAlreadyExists: {
    sentence: "Major version {major} of this DID is already registered.",
    action: "Publish an update of it, or register the next major version.",
  },
  AppNotFound: {
    sentence: "No service is registered for this DID, or not with major version {major}.",
    action: "Check the DID, the version and the network.",
  },
  TokenNotFound: {
    sentence: "No record has token id {tokenId}.",
    action: "Check the token id and the network.",
  },
  ReclaimContested: {
    sentence:
      "Record {tokenId} can't be reclaimed: its minter or holder {account} controls the DID, or did since the opening.",
    action: "Agree with that account, or challenge it at the resolver.",
  },
  ReclaimAlreadyOpen: {
    sentence: "{claimant} already has an open reclaim of record {tokenId}.",
    action: "Finish it from 30 to 60 days after it was opened.",
  },
  ReclaimNotOpen: {
    sentence: "{claimant} has no open reclaim of record {tokenId}.",
    action: "Open one; it is void after 60 days.",
  },
  ReclaimNotFinishable: {
    sentence: "The reclaim of record {tokenId} can't be finished before {finishableFrom:time}.",
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
  VersionTaken: {
    sentence: "Version {major}.{minor}.{patch} was published before.",
    action: "Choose a version that the record never had.",
  },
  InvalidInterfaces: {
    sentence: "The interface bitmap {interfaces} is outside 1 to 7.",
    action: "Combine 1 (Human), 2 (API) and 4 (Contract).",
  },
  InterfaceRemoved: {
    sentence: "An update can't remove an interface, from {currentInterfaces} to {interfaces}.",
    action: "Keep them all, or register the next major version.",
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
    action: "Send the text and the hash that hashDocument() returns.",
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
    sentence: "The record already has status {status:status}.",
    action: "Nothing needs to be done.",
  },
  InvalidLimit: {
    sentence: "A page of {limit} records can't be read.",
    action: "Use a limit from 1 to 100.",
  },
};

/** Metadata store. */
const metadataErrors: Record<string, ContractErrorText> = {
  OnlyRegistry: {
    sentence: "{caller} is not the registry, and only the registry writes to the metadata store.",
    action: "Store the JSON through the registry.",
  },
  EmptyMetadata: {
    sentence: "There is no metadata JSON to store.",
    action: "Send the text that hashes to the record's dataHash.",
  },
  MetadataTooLarge: {
    sentence: "The metadata JSON has {size} bytes; at most {max} fit on the chain.",
    action: "Host it at your own dataUrl and send an empty metadataJson.",
  },
};

/** What the errors of the registry and its metadata store mean, by name. */
export const registryErrorTexts: Readonly<Record<string, ContractErrorText>> = {
  ...recordErrors,
  ...fieldErrors,
  ...metadataErrors,
};
