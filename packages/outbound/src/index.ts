export {
  type ContractAddress,
  type DiscoverOptions,
  discoverService,
  UnusableAddressError,
} from "./discover/discoverService.ts";
export {
  type Discovery,
  discoverySchema,
  type Finding,
  type FindingKind,
  findingKinds,
} from "./discover/finding.ts";
export { createProposal, getFindingKey, type Proposal, type Suggestion } from "./discover/findingList.ts";
export {
  CDN_LOOP,
  type CreateGuardedFetchOptions,
  createGuardedFetch,
  type FetchDocumentOptions,
  type FetchedDocument,
  type FetchLike,
  type GuardedFetch,
} from "./fetch/guardedFetch.ts";
export { GuardedFetchError, type GuardedFetchErrorCode } from "./fetch/guardedFetchError.ts";
export { createTxtResolver, getHost, type ResolveTxt } from "./fetch/hosts.ts";
export { HostBusyError } from "./fetch/politeFetch.ts";
export { ImportError, type ImportErrorCode } from "./import/importError.ts";
export { importMcp, type McpImport } from "./import/importMcp.ts";
export {
  checkServedDocument,
  RecordedDocumentError,
  type RecordedDocumentErrorCode,
  readRecordedDocument,
  type ServedDocument,
} from "./import/recordedDocument.ts";
export { probeEndpoint } from "./probe/probeEndpoint.ts";
export { PROBER, proberUserAgent } from "./probe/prober.ts";
export { type ProbeServiceOptions, probeService } from "./probe/probeService.ts";
export { getSite } from "./site.ts";
