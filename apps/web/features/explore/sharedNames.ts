import "server-only";
import { fetchFromIndexer, parseAnswer } from "@app-registry/server/fetchFromIndexer";
import { cache } from "react";
import { z } from "zod";
import { registry } from "../../lib/server/registry.ts";

/** Milliseconds that a page waits to know whose names are not theirs alone. */
const PATIENCE = 1_000;

/** As the index answers GET /shared-names. */
const answerSchema = z.object({ tokenIds: z.array(z.string()) });

/**
 * Which of these records, by token id, have the name of an Active service of another DID, or one that looks like it, in
 * the whole registry. None while the index is away: the chain compares no names.
 */
export async function readSharedNames(tokenIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (tokenIds.length === 0) return new Set();
  const path = `/shared-names?tokenIds=${tokenIds.join(",")}`;
  const answer = await fetchFromIndexer(registry().environment.indexerUrls, path, { timeout: PATIENCE });
  return new Set(answer?.status === 200 ? answerSchema.parse(parseAnswer(answer)).tokenIds : []);
}

/** Whether one record's name is not its alone, asked once per request. */
export const hasSharedName = cache(
  async (tokenId: string): Promise<boolean> => (await readSharedNames([tokenId])).has(tokenId),
);
