import "server-only";
import { fetchFromIndexer, parseAnswer } from "@app-registry/server/fetchFromIndexer";
import { TtlCache } from "@app-registry/server/TtlCache";
import { z } from "zod";
import { type Block, registry } from "../../lib/server/registry.ts";

/** Time limit for the index, in milliseconds. Without a response, no name is marked as shared. */
const PATIENCE = 1_000;

/** Response of the index to GET /shared-names. */
const answerSchema = z.object({ tokenIds: z.array(z.string()) });

/**
 * Returns the token IDs of records with the same name as an Active service of another DID, or a similar-looking one.
 * Returns none if the index is unavailable: the chain cannot compare names.
 */
export async function readSharedNames(tokenIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (tokenIds.length === 0) return new Set();
  const path = `/shared-names?tokenIds=${tokenIds.join(",")}`;
  const answer = await fetchFromIndexer(registry().environment.indexerUrls, path, { timeout: PATIENCE });
  return new Set(answer?.status === 200 ? answerSchema.parse(parseAnswer(answer)).tokenIds : []);
}

/** Cache time at one block, in milliseconds. It is short, because the index may be behind the block. */
const AGE = 2_000;

const answers = new TtlCache<boolean>(1_000);

/** Returns true if another service uses the record's name. */
export const hasSharedName = (tokenId: string, { hash }: Block): Promise<boolean> =>
  answers.get(
    `${tokenId} ${hash}`,
    () => AGE,
    async () => (await readSharedNames([tokenId])).has(tokenId),
  );
