export {
  InvalidSearchError,
  parseSearchParams,
  parseSearchQuery,
  type SearchProblem,
} from "./parseSearchQuery.ts";
export { type SearchAppsParameters, searchApps } from "./searchApps.ts";
export { FullTextUnavailableError, type SearchChainParameters, searchChain } from "./searchChain.ts";
export { type SearchQuery, type SearchQueryInput, searchQuerySchema } from "./searchQuery.ts";
export {
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
