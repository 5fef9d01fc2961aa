export { type SearchQuery, type SearchQueryInput, searchQuerySchema } from "./searchQuery.ts";
export {
  type Outcome,
  outcomeSchema,
  type SearchPage,
  type SearchResult,
  searchPageSchema,
  searchResultSchema,
} from "./searchResult.ts";
