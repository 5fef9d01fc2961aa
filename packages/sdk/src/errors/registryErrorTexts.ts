import type { ContractErrorText } from "./contractErrorText.ts";

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

/** Messages of the metadata store. */
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
export const registryErrorTexts: Readonly<Record<string, ContractErrorText>> = {
  ...recordErrors,
  ...fieldErrors,
  ...metadataErrors,
};
