import { type SearchPage, type SearchQuery, searchPageSchema } from "@app-registry/sdk";
import { z } from "zod";
import { search } from "../../src/api/search/search.ts";

/** A page of the database under test, checked against the schema that clients read it by. */
export async function searchPage(query: SearchQuery): Promise<SearchPage> {
  return z.strictObject(searchPageSchema.shape).parse(JSON.parse(await search(query, { block: 1, lag: 0 })));
}
