export { IndexTimeoutError, NoServiceError } from "../errors/serviceErrors.ts";
export {
  type AppStatus,
  type AppStatusName,
  appStatusLabels,
  appStatusNames,
  parseStatus,
} from "../recordEnums.ts";
export type {
  App,
  AppSummary,
  HasTraitsParameters,
  ListByInterfaceParameters,
  ListByOwnerParameters,
  ListByStatusParameters,
  StoredMetadata,
  TransferParameters,
  UpdateStatusParameters,
  VersionEntry,
  VersionOrder,
} from "./app.ts";
export type {
  Attestation,
  AttestDataHashBySignatureParameters,
  AttestDataHashParameters,
  AttestDidBySignatureParameters,
  AttestDidParameters,
  IssuerSignature,
} from "./attestation.ts";
export type { Listing, ListingOptions, Page, SendOptions } from "./calls.ts";
export type {
  BlockParameter,
  ClientContext,
  ControllerParameters,
  DataHashParameters,
  PreparedCall,
  RecordParameters,
} from "./context.ts";
export {
  type Block,
  type BlockControllerBatchParameters,
  type BlockControllerParameters,
  type Challenge,
  type ChallengeDidParameters,
  type ChallengeParameters,
  type Controller,
  MAX_BLOCK,
  type ResolveChallengeParameters,
} from "./controller.ts";
export { type AppRegistryClient, createAppRegistryClient } from "./createAppRegistryClient.ts";
export type { EventListing, EventPage, ListEventsParameters, RegistryEvent } from "./events.ts";
export { type IssuerState, type IssuerStatus, RENEWAL_GRACE_SECONDS, type ResolverPolicy } from "./issuer.ts";
export { VersionNotFoundError, type VersionQuery } from "./notRegistered.ts";
export type { Reclaim, ReclaimParameters } from "./reclaim.ts";
export {
  type GetVersionRecordParameters,
  type ListVersionRecordsParameters,
  MetadataPointerError,
  type MintParameters,
  type RepublishMetadataParameters,
  type UpdateAppControlledParameters,
  type VersionRecord,
} from "./version.ts";
export type { WaitForReceiptParameters, WaitUntilIndexedParameters } from "./waiters.ts";
