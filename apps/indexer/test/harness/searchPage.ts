import { search } from "@app-registry/index/search/search";
import { type SearchPage, type SearchQuery, searchPageSchema } from "@app-registry/sdk";
import { z } from "zod";
import { session } from "./database.ts";

/** Searches the database under test and validates the page with the clients' schema. */
export async function searchPage(query: SearchQuery): Promise<SearchPage> {
  return z
    .strictObject(searchPageSchema.shape)
    .parse(JSON.parse(await search(session, query, { block: 1, lag: 0 })));
}
