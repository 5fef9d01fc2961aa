import { fetchFromIndexer, parseAnswer } from "@app-registry/server/fetchFromIndexer";
import { getAddress } from "viem";
import { z } from "zod";

/** Address from the index, checksummed by parsing. */
export const indexedAddress = z.string().transform((value) => getAddress(value));

/** Creates the schema of a page of rows in the index's GraphQL responses. */
export const pageSchema = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({ items: z.array(z.object(shape)) }).transform(({ items }) => items);

/** Time limit of the index for data that a page can omit, in milliseconds. */
export const INDEX_QUERY_TIMEOUT_MS = 3_000;

/**
 * Queries the index's GraphQL API. Returns `undefined` if the index is unavailable or the response does not match the
 * schema.
 */
export async function queryIndex<Data>(
  indexerUrls: readonly string[],
  question: { query: string; variables: object },
  schema: z.ZodType<Data>,
  options: { timeout?: number } = {},
): Promise<Data | undefined> {
  const answer = await fetchFromIndexer(indexerUrls, "/graphql", { ...options, body: question });
  if (answer?.status !== 200) return undefined;
  return z.object({ data: schema }).safeParse(parseAnswer(answer)).data?.data;
}
