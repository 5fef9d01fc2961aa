export {
  type DocumentState,
  type DocumentStatus,
  documentStateSchema,
  documentStatusSchema,
} from "./documentMark.ts";
export { IndexRequiredError } from "./indexRequiredError.ts";
export {
  type Drift,
  driftSchema,
  type LiveOutcome,
  type LiveStatus,
  liveOutcomeSchema,
  liveOutcomes,
  liveStatusSchema,
} from "./liveMark.ts";
export {
  InvalidSearchError,
  parseSearchParams,
  parseSearchQuery,
  type SearchProblem,
} from "./parseSearchQuery.ts";
export { type SearchAllParameters, type SearchListing, searchAll } from "./searchAll.ts";
export { type SearchAppsParameters, searchApps } from "./searchApps.ts";
export { type SearchChainParameters, searchChain } from "./searchChain.ts";
export { type SearchQuery, type SearchQueryInput, searchQuerySchema } from "./searchQuery.ts";
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
  type TraitCount,
  traitCountSchema,
} from "./searchResult.ts";
