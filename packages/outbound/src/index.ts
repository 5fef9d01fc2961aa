export { createProposal, type Proposal } from "./discover/createProposal.ts";
export { discoverService } from "./discover/discoverService.ts";
export { type FilledMetadata, fillMetadata } from "./discover/fillMetadata.ts";
export {
  type Discovery,
  discoverySchema,
  type Finding,
  type FindingKind,
  findingKinds,
} from "./discover/finding.ts";
export { type ContractAddress, type DiscoverOptions, UnusableAddressError } from "./discover/target.ts";
export { getHost } from "./getHost.ts";
export {
  CDN_LOOP,
  type CreateGuardedFetchOptions,
  createGuardedFetch,
  type FetchDocumentOptions,
  type FetchedDocument,
  type FetchLike,
  type GuardedFetch,
} from "./guardedFetch.ts";
export { GuardedFetchError, type GuardedFetchErrorCode } from "./guardedFetchError.ts";
export { ImportError, type ImportErrorCode } from "./import/importError.ts";
export { importMcp, type McpImport, mcpImportSchema } from "./import/importMcp.ts";
export { HostBusyError } from "./politeFetch.ts";
export { probeEndpoint } from "./probe/probeEndpoint.ts";
export { PROBER, proberUserAgent } from "./probe/prober.ts";
export { type ProbeServiceOptions, probeService } from "./probe/probeService.ts";
export {
  checkServedDocument,
  RecordedDocumentError,
  type RecordedDocumentErrorCode,
  readRecordedDocument,
  type ServedDocument,
} from "./recordedDocument.ts";
export { createTxtResolver, type ResolveTxt } from "./resolveTxt.ts";
export { getSite } from "./site.ts";
