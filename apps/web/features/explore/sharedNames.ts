import "server-only";
import { sharedNames } from "@app-registry/index/lookup";
import { TtlCache } from "@app-registry/server/async";
import { readIndex } from "../../lib/server/readIndex.ts";
import { type Block, registry } from "../../lib/server/registry.ts";

/** Time limit for the index, in milliseconds. Without a response, no name is marked as shared. */
const TIME_LIMIT_MS = 1_000;

/**
 * Returns the token IDs of records with the same name as an Active service of another DID, or a similar-looking one.
 * Returns none if the index is unavailable: the chain cannot compare names.
 */
export async function readSharedNames(tokenIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (tokenIds.length === 0) return new Set();
  const signal = AbortSignal.timeout(TIME_LIMIT_MS);
  const found = await readIndex(registry(), (session) => sharedNames(session, tokenIds), { signal });
  return new Set(found);
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
