export {
  type DocumentMark,
  type DocumentState,
  documentMarkSchema,
  documentStateSchema,
} from "./documentMark.ts";
export { IndexNeededError } from "./indexNeededError.ts";
export {
  type Drift,
  driftSchema,
  type LiveMark,
  type LiveOutcome,
  liveMarkSchema,
  liveOutcomeSchema,
  liveOutcomes,
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
