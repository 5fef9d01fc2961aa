export type { Attestation } from "./attestation.ts";
export type { AtBlock, ClientContext, PreparedCall } from "./context.ts";
export { type AppRegistryClient, createAppRegistryClient } from "./createAppRegistryClient.ts";
export type { IssuerSignature } from "./issuerSignature.ts";
export type { Listing, ListingOptions, Page } from "./listing.ts";
export type { Challenge } from "./reads/getChallenge.ts";
export type { Controller } from "./reads/getController.ts";
export type { StoredMetadata } from "./reads/getMetadata.ts";
export { MetadataPointerError } from "./reads/getMetadataAt.ts";
export type { Reclaim } from "./reads/getReclaim.ts";
export type { ResolverPolicy } from "./reads/getResolverPolicy.ts";
export { VersionNotFoundError } from "./reads/getVersionRecord.ts";
export type { App, AppStatus, AppSummary, DataHashAlgorithm, VersionEntry } from "./records.ts";
export type { SendOptions } from "./sendCall.ts";
export type { VersionQuery, VersionRecord } from "./versionRecord.ts";
export type { MintParameters } from "./writes/mint.ts";
export {
  DataUrlOfOtherVersionError,
  dataUrlMayStay,
  type UpdateAppControlledParameters,
} from "./writes/updateAppControlled.ts";
