import { search } from "@app-registry/index/search/search";
import {
  parseSearchQuery,
  type SearchPage,
  type SearchQueryInput,
  searchPageSchema,
} from "@app-registry/sdk";
import { z } from "zod";
import { session } from "./database.ts";

/** Searches the database under test and validates the page with the clients' schema. */
export async function searchPage(input: SearchQueryInput): Promise<SearchPage> {
  const page = JSON.stringify(await search(session, parseSearchQuery(input), 1));
  return z.strictObject(searchPageSchema.shape).parse(JSON.parse(page));
}

/** Lists the token ids of a page of results. */
export const listIds = async (input: SearchQueryInput): Promise<string[]> =>
  (await searchPage(input)).results.map(({ tokenId }) => tokenId);
