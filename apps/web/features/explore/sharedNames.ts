import "server-only";
import type { SearchPage } from "@app-registry/sdk";
import { z } from "zod";
import { askIndexer, readAnswer } from "../../lib/server/askIndexer.ts";
import { registry } from "../../lib/server/registry.ts";

/** Milliseconds that a page waits to know whose names are not theirs alone. */
const PATIENCE = 1_000;

/** As the index answers GET /shared-names. */
const answerSchema = z.object({ tokenIds: z.array(z.string()) });

/**
 * The records, by token id, that have the name of an Active service of another DID, or one that looks like it, in the
 * whole registry. None while the index is away: the chain compares no names.
 */
export async function readSharedNames({ results, source }: SearchPage): Promise<ReadonlySet<string>> {
  const named = results.filter(({ name }) => name !== undefined).map(({ tokenId }) => tokenId);
  if (source !== "index" || named.length === 0) return new Set();
  const path = `/shared-names?tokenIds=${named.join(",")}`;
  const answer = await askIndexer(registry().environment.indexerUrls, path, PATIENCE);
  return new Set(answer?.status === 200 ? answerSchema.parse(readAnswer(answer)).tokenIds : []);
}
