import { search } from "@app-registry/index/search/search";
import { type SearchPage, type SearchQuery, searchPageSchema } from "@app-registry/sdk";
import { z } from "zod";
import { session } from "./database.ts";

/** Searches the database under test and validates the page with the clients' schema. */
export async function searchPage(query: SearchQuery): Promise<SearchPage> {
  const page = JSON.stringify(await search(session, query, 1));
  return z.strictObject(searchPageSchema.shape).parse(JSON.parse(page));
}
