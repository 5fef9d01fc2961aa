import { fetchFromIndexer, parseAnswer } from "@app-registry/server/fetchFromIndexer";
import { getAddress } from "viem";
import { z } from "zod";

/** An address as the index writes it, which parsing checksums. */
export const indexedAddress = z.string().transform((value) => getAddress(value));

/** A page of rows in an answer of the index's GraphQL. */
export const pageSchema = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({ items: z.array(z.object(shape)) }).transform(({ items }) => items);

/** Milliseconds that the index has for what a page can do without. */
export const INDEX_QUERY_TIMEOUT_MS = 3_000;

/** Asks the GraphQL of the index; undefined while it does not answer as the schema says. */
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
