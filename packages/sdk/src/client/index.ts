export type {
  BlockParameter,
  ClientContext,
  ControllerParameters,
  DataHashParameters,
  PreparedCall,
  RecordParameters,
} from "./context.ts";
export {
  type Attestation,
  type Block,
  type Challenge,
  type Controller,
  type IssuerSignature,
  type IssuerState,
  type IssuerStatus,
  MAX_BLOCK,
  RENEWAL_GRACE_SECONDS,
  type ResolverPolicy,
} from "./control.ts";
export { type AppRegistryClient, createAppRegistryClient } from "./createAppRegistryClient.ts";
export { IndexTimeoutError, NoServiceError } from "./indexErrors.ts";
export type { Listing, ListingOptions, Page } from "./listing.ts";
export { VersionNotFoundError } from "./notRegistered.ts";
export type { ChallengeParameters } from "./reads/control.ts";
export type { EventListing, EventPage, ListEventsParameters, RegistryEvent } from "./reads/listEvents.ts";
export type {
  HasTraitsParameters,
  ListByInterfaceParameters,
  ListByOwnerParameters,
  ListByStatusParameters,
  Reclaim,
  ReclaimParameters,
  StoredMetadata,
} from "./reads/records.ts";
export type { GetVersionRecordParameters, ListVersionRecordsParameters } from "./reads/versions.ts";
export {
  type App,
  type AppStatus,
  type AppStatusName,
  type AppSummary,
  appStatusLabels,
  appStatusNames,
  parseStatus,
  type VersionEntry,
  type VersionOrder,
} from "./records.ts";
export type { SendOptions } from "./sendCall.ts";
export { MetadataPointerError, type VersionQuery, type VersionRecord } from "./versionRecord.ts";
export type { WaitForReceiptParameters, WaitUntilIndexedParameters } from "./waiters.ts";
export type {
  AttestDataHashBySignatureParameters,
  AttestDataHashParameters,
  AttestDidBySignatureParameters,
  AttestDidParameters,
  BlockControllerBatchParameters,
  BlockControllerParameters,
  ChallengeDidParameters,
  ResolveChallengeParameters,
} from "./writes/control.ts";
export type {
  MintParameters,
  RepublishMetadataParameters,
  TransferParameters,
  UpdateAppControlledParameters,
  UpdateStatusParameters,
} from "./writes/records.ts";
