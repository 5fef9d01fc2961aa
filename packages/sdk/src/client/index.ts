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
export type { AttestDataHashParameters } from "./writes/attestDataHash.ts";
export type { AttestDataHashBySignatureParameters } from "./writes/attestDataHashBySignature.ts";
export type { AttestDidParameters } from "./writes/attestDid.ts";
export type { AttestDidBySignatureParameters } from "./writes/attestDidBySignature.ts";
export type { BlockControllerParameters } from "./writes/blockController.ts";
export type { BlockControllerBatchParameters } from "./writes/blockControllerBatch.ts";
export type { ChallengeDidParameters } from "./writes/challengeDid.ts";
export type { DismissReclaimsParameters } from "./writes/dismissReclaims.ts";
export type { FinishReclaimParameters } from "./writes/finishReclaim.ts";
export type { MintParameters } from "./writes/mint.ts";
export type { OpenReclaimParameters } from "./writes/openReclaim.ts";
export type { RepublishMetadataParameters } from "./writes/republishMetadata.ts";
export type { ResolveChallengeParameters } from "./writes/resolveChallenge.ts";
export type { RevokeDataHashParameters } from "./writes/revokeDataHash.ts";
export type { RevokeDidParameters } from "./writes/revokeDid.ts";
export type { TransferParameters } from "./writes/transfer.ts";
export type { UnblockControllerParameters } from "./writes/unblockController.ts";
export type { UpdateAppControlledParameters } from "./writes/updateAppControlled.ts";
export type { UpdateStatusParameters } from "./writes/updateStatus.ts";
