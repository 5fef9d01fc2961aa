export * from "./abi/index.ts";
export {
  type Allowlist,
  type AllowlistClient,
  type AllowlistEntry,
  type AllowlistProblem,
  type AllowlistQueryInput,
  allowlistClients,
  allowlistQuerySchema,
  allowlistSchema,
  type CheckAllowlistParameters,
  type CreateAllowlistParameters,
  type CreateAllowlistReturnType,
  checkAllowlist,
  createAllowlist,
  type OmittedService,
} from "./allowlist.ts";
export * from "./caip.ts";
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
} from "./client/app.ts";
export type {
  Attestation,
  AttestDataHashBySignatureParameters,
  AttestDataHashParameters,
  AttestDidBySignatureParameters,
  AttestDidParameters,
  IssuerSignature,
} from "./client/attestation.ts";
export type { Listing, ListingOptions, Page, SendOptions } from "./client/calls.ts";
export {
  type ConnectAppRegistryOptions,
  connectAppRegistry,
  registryInfoSchema,
} from "./client/connectAppRegistry.ts";
export type {
  BlockParameter,
  ClientContext,
  ControllerParameters,
  DataHashParameters,
  PreparedCall,
  RecordParameters,
} from "./client/context.ts";
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
} from "./client/controller.ts";
export { type AppRegistryClient, createAppRegistryClient } from "./client/createAppRegistryClient.ts";
export type { EventListing, EventPage, ListEventsParameters, RegistryEvent } from "./client/events.ts";
export {
  type IssuerState,
  type IssuerStatus,
  RENEWAL_GRACE_SECONDS,
  type ResolverPolicy,
} from "./client/issuer.ts";
export { VersionNotFoundError, type VersionQuery } from "./client/notRegistered.ts";
export type { Reclaim, ReclaimParameters } from "./client/reclaim.ts";
export {
  type GetVersionRecordParameters,
  type ListVersionRecordsParameters,
  MetadataPointerError,
  type MintParameters,
  type RepublishMetadataParameters,
  type UpdateAppControlledParameters,
  type VersionRecord,
} from "./client/version.ts";
export type { WaitForReceiptParameters, WaitUntilIndexedParameters } from "./client/waiters.ts";
export { getReusableDataUrl, resolveDataUrl } from "./dataUrl.ts";
export {
  AbiMismatchError,
  type Deployment,
  deploymentSchema,
  InvalidDeploymentError,
  parseDeployment,
} from "./deployment.ts";
export {
  type CanonicalDid,
  type Did,
  type DidPkh,
  type DidWeb,
  didDocumentUrl,
  didHash,
  type InvalidDidCode,
  InvalidDidError,
  isCanonicalDid,
  MAX_CHAIN_ID,
  MAX_DID_LENGTH,
  normalizeDid,
  parseDid,
} from "./did.ts";
export { getProvenSubject, type ProvenSubject, provenSubjectSchema } from "./didMethods.ts";
export {
  AppRegistryError,
  type AppRegistryErrorOptions,
  FeeError,
  InvalidArgumentError,
  NonceError,
  PublicationConflictError,
  UnsupportedMethodError,
  WalletDisconnectedError,
} from "./errors/appRegistryError.ts";
export {
  ContractRevertError,
  contractErrorsAbi,
  decodeContractRevert,
} from "./errors/contractRevertError.ts";
export {
  ContractNotDeployedError,
  IndexTimeoutError,
  NoServiceError,
  ReceiptTimeoutError,
  RpcFailedError,
  RpcUnavailableError,
  ServiceError,
  ServiceUnavailableError,
  TimeLimitError,
} from "./errors/networkErrors.ts";
export { toAppRegistryError } from "./errors/toAppRegistryError.ts";
export {
  type Funds,
  InsufficientFundsError,
  NoAccountError,
  RequestRejectedError,
  TransactionRevertedError,
  WrongChainError,
} from "./errors/walletErrors.ts";
export * from "./hash.ts";
export * from "./json.ts";
export { LOCAL_CHAIN_ID } from "./local.ts";
export {
  chooseService,
  type FindServicesParameters,
  findServices,
  InvalidSubjectError,
  type Lookup,
  LookupError,
  type LookupMatch,
  lookupSchema,
  lookupUses,
  normalizeAddress,
  parseSubject,
  type Subject,
} from "./lookup.ts";
export { checkFieldNames, type FieldWarning } from "./metadata/checkFieldNames.ts";
export { checkPublishable, type Problem } from "./metadata/checkPublishable.ts";
export {
  type CapabilityChange,
  type CapabilityKind,
  compareCapabilities,
  compareTools,
  summarizeChanges,
  type ToolComparison,
} from "./metadata/compareCapabilities.ts";
export { metadataJsonSchema } from "./metadata/describedFields.ts";
export {
  CONTRACT_ENDPOINT_NAME,
  type EndpointEntry,
  MCP_ENDPOINT_NAME,
  type McpPrompt,
  type McpResource,
  type McpTool,
} from "./metadata/endpointSchema.ts";
export { endpointName, getEndpoints, isContractEndpoint } from "./metadata/getEndpoints.ts";
export * from "./metadata/limits.ts";
export { type Metadata, metadataSchema } from "./metadata/metadataSchema.ts";
export { safeHref } from "./metadata/safeHref.ts";
export {
  formatProvenLine,
  type GetSite,
  getRelation,
  type ProvenLine,
  type Relation,
} from "./origin.ts";
export * from "./paths.ts";
export {
  type CallCost,
  describeCost,
  describeTransaction,
  estimateCall,
  formatFee,
  type TransactionDescription,
} from "./publish/describeTransaction.ts";
export {
  createCallOperation,
  createControlCheck,
  createPublication,
  getStage,
  isSent,
  nextStage,
  type Operation,
  type OperationEvent,
  type OperationProblem,
  parseOperation,
  type Stage,
  type StageId,
  type StageState,
  stageIds,
} from "./publish/operation.ts";
export {
  type PlanPublicationParameters,
  type PlanReplacementParameters,
  type PublicationPlan,
  type PublicationRequest,
  planPublication,
  planReplacement,
  readRegisteredDid,
} from "./publish/planPublication.ts";
export { controlStatement, messageSigner, type SignMessage } from "./publish/proveWallet.ts";
export {
  type PublishAppParameters,
  type PublishAppResult,
  type PublishAppsEvent,
  type PublishAppsOutcome,
  type PublishAppsParameters,
  publishApp,
  publishApps,
  type ServiceToPublish,
} from "./publish/publishApp.ts";
export {
  type AttestationResponse,
  type AttestationWay,
  type DocumentToPublish,
  type RequestAttestationParameters,
  requestAttestation,
} from "./publish/requestAttestation.ts";
export { type OperationContext, preparePublication, runOperation } from "./publish/runOperation.ts";
export {
  AttestationRefusedError,
  ContentNotAttestedError,
  ControlNotAttestedError,
  interfacesConflict,
  type NextVersions,
  NotPublishableError,
  nextVersions,
  proposeVersion,
  type RegisteredDid,
  type RegisteredRecord,
  raiseVersion,
  traitsConflict,
  type VersionProposal,
  versionConflict,
} from "./publish/versionRules.ts";
export * from "./recordEnums.ts";
export {
  type AppStatus,
  type AppStatusName,
  appStatusLabels,
  appStatusNames,
  parseStatus,
} from "./recordEnums.ts";
export type { ServiceOptions } from "./requestJson.ts";
export {
  type DocumentState,
  type Drift,
  documentStateSchema,
  documentStatusSchema,
  driftSchema,
  type LiveOutcome,
  type LiveStatus,
  liveOutcomeSchema,
  liveOutcomes,
  liveStatusSchema,
} from "./search/marks.ts";
export {
  type SearchAllParameters,
  type SearchAppsParameters,
  type SearchListing,
  searchAll,
  searchApps,
} from "./search/searchApps.ts";
export { IndexRequiredError, type SearchChainParameters, searchChain } from "./search/searchChain.ts";
export {
  InvalidSearchError,
  parseSearchParams,
  parseSearchQuery,
  type SearchProblem,
  type SearchQuery,
  type SearchQueryInput,
  searchQuerySchema,
} from "./search/searchQuery.ts";
export {
  type EndpointLabel,
  endpointLabelSchema,
  type Outcome,
  outcomeSchema,
  type SearchFacets,
  type SearchPage,
  type SearchResult,
  type SearchTotal,
  searchFacetsSchema,
  searchPageSchema,
  searchResultSchema,
  searchTotalSchema,
  traitCountSchema,
} from "./search/searchResult.ts";
export {
  prepareSignedAttestation,
  type SignedAttestation,
  sendSignedAttestation,
  signedAttestationSchema,
} from "./signedAttestation.ts";
export { parseServerName, toServerName } from "./toServerName.ts";
export * from "./traits.ts";
export { DocumentUnavailableError, type FetchDocument, fetchDocument } from "./verify/documents.ts";
export {
  createLiveReader,
  type EndpointProbe,
  fetchLiveRecord,
  type LivePeriod,
  type LiveRecord,
  liveFact,
  liveRecordSchema,
  type ProbedService,
  type ProbeProtocol,
  type ReadLiveFact,
  recordedLiveFact,
  type ServiceProbe,
  serviceProbeSchema,
} from "./verify/live.ts";
export { type ClassifiedAddress, type LocatedAddress, listAddresses } from "./verify/originFact.ts";
export {
  type Fact,
  factSchema,
  type Step,
  stepSchema,
  type VerificationReport,
  verificationReportSchema,
} from "./verify/report.ts";
export { type VerifyAppParameters, verifyApp } from "./verify/verifyApp.ts";
export * from "./version.ts";
export { isVisible, visibleLines, visibleText } from "./visibleText.ts";
