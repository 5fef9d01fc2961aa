export type { Attestation } from "./attestation.ts";
export type { BlockParameter, ClientContext, PreparedCall } from "./context.ts";
export { type AppRegistryClient, createAppRegistryClient } from "./createAppRegistryClient.ts";
export type { IssuerSignature } from "./issuerSignature.ts";
export type { Listing, ListingOptions, Page } from "./listing.ts";
export type { GetAppParameters } from "./reads/getApp.ts";
export type { GetAppSummaryParameters } from "./reads/getAppSummary.ts";
export { type Block, MAX_BLOCK } from "./reads/getBlock.ts";
export type { Challenge, ChallengeParameters } from "./reads/getChallenge.ts";
export type { Controller } from "./reads/getController.ts";
export type { IssuerState, IssuerStatus } from "./reads/getIssuers.ts";
export type { StoredMetadata } from "./reads/getMetadata.ts";
export { MetadataPointerError } from "./reads/getMetadataAt.ts";
export type { Reclaim, ReclaimParameters } from "./reads/getReclaim.ts";
export { RENEWAL_GRACE_SECONDS, type ResolverPolicy } from "./reads/getResolverPolicy.ts";
export type { GetVersionRecordParameters } from "./reads/getVersionRecord.ts";
export { VersionNotFoundError } from "./reads/getVersionRecord.ts";
export type { HasTraitsParameters } from "./reads/hasTraits.ts";
export type { ListByInterfaceParameters } from "./reads/listByInterface.ts";
export type { ListByOwnerParameters } from "./reads/listByOwner.ts";
export type { ListByStatusParameters } from "./reads/listByStatus.ts";
export type { EventListing, EventPage, ListEventsParameters, RegistryEvent } from "./reads/listEvents.ts";
export type { ListVersionRecordsParameters } from "./reads/listVersionRecords.ts";
export type { ListVersionsParameters } from "./reads/listVersions.ts";
export type { TokenIdOfParameters } from "./reads/tokenIdOf.ts";
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
export type { VersionQuery, VersionRecord } from "./versionRecord.ts";
export type { WaitForReceiptParameters } from "./waitForReceipt.ts";
export { IndexTimeoutError, NoServiceError, type WaitUntilIndexedParameters } from "./waitUntilIndexed.ts";
export type {
  AttestDataHashBySignatureParameters,
  AttestDataHashParameters,
  AttestDidBySignatureParameters,
  AttestDidParameters,
  BlockControllerBatchParameters,
  BlockControllerParameters,
  ChallengeDidParameters,
  ResolveChallengeParameters,
  RevokeDataHashParameters,
  RevokeDidParameters,
  UnblockControllerParameters,
} from "./writes/control.ts";
export type {
  DismissReclaimsParameters,
  FinishReclaimParameters,
  MintParameters,
  OpenReclaimParameters,
  RepublishMetadataParameters,
  TransferParameters,
  UpdateAppControlledParameters,
  UpdateStatusParameters,
} from "./writes/records.ts";
