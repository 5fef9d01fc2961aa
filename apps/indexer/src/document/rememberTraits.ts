import type { Context } from "ponder:registry";
import { trait } from "ponder:schema";
import { traitHash } from "@app-registry/sdk";

/** Keeps the words behind trait hashes, so that a count by hash can be shown by its word. */
export async function rememberTraits(db: Context["db"], labels: readonly string[]): Promise<void> {
  if (labels.length === 0) return;
  const rows = labels.map((label) => ({ hash: traitHash(label), label }));
  await db.insert(trait).values(rows).onConflictDoNothing();
}
