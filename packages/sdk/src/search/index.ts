export { InvalidSearchError, parseSearchQuery, type SearchProblem } from "./parseSearchQuery.ts";
export { type SearchAppsParameters, searchApps } from "./searchApps.ts";
export { FullTextUnavailableError, type SearchChainParameters, searchChain } from "./searchChain.ts";
export { type SearchQuery, type SearchQueryInput, searchQuerySchema } from "./searchQuery.ts";
export {
  type Outcome,
  outcomeSchema,
  type SearchPage,
  type SearchResult,
  searchPageSchema,
  searchResultSchema,
} from "./searchResult.ts";
