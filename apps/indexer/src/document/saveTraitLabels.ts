import type { Context } from "ponder:registry";
import { trait } from "ponder:schema";
import { getTraitHash } from "@app-registry/index/document/getTraitHash";

/** Saves the strings of trait hashes, so that counts by hash can show them. */
export async function saveTraitLabels(db: Context["db"], labels: readonly string[]): Promise<void> {
  const rows = labels.flatMap((label) => {
    const hash = getTraitHash(label);
    return hash ? [{ hash, label }] : [];
  });
  if (rows.length > 0) await db.insert(trait).values(rows).onConflictDoNothing();
}
