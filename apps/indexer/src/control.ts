import type { Context } from "ponder:registry";
import { app, dataHashAttestation, didAttestation, issuer, service, tokenOfMajor } from "ponder:schema";
import { applyDistrust, missingEvidence } from "@app-registry/index/evidence";
import type { PgColumn } from "drizzle-orm/pg-core";
import { and, eq, sql } from "ponder";
import type { Hex } from "viem";

/**
 * Updates the missing evidence of a DID's records at `now`, in Unix seconds. Call it when an attestation begins or
 * ends. An expiry has no event and takes effect with the next update.
 *
 * @param hasBegun True if an attestation began, so that a record without missing evidence stays as it is.
 */
export async function updateMissingEvidence(
  db: Context["db"],
  didHash: Hex,
  now: number,
  hasBegun = false,
): Promise<void> {
  // Each read in SQL has Ponder write its buffered rows first.
  if (hasBegun && (await findRecords(db, didHash)).every(({ unproven }) => unproven === 0)) return;
  const controllers = await liveSubjects(db, didAttestation, didAttestation.controller, didHash, now);
  const hashes = await liveSubjects(db, dataHashAttestation, dataHashAttestation.dataHash, didHash, now);
  for (const record of await findRecords(db, didHash)) {
    const isControlled =
      controllers.has(record.owner) || (!record.hasMinterLost && controllers.has(record.minter));
    const hasContent = record.pointer !== null || hashes.has(record.dataHash);
    const unproven =
      (isControlled ? 0 : missingEvidence.control) + (hasContent ? 0 : missingEvidence.content);
    if (unproven !== record.unproven) await db.update(app, { tokenId: record.tokenId }).set({ unproven });
  }
}

async function findRecords(db: Context["db"], didHash: Hex) {
  const known = await db.find(service, { didHash });
  const records: (typeof app.$inferSelect)[] = [];
  for (const major of known?.majors ?? []) {
    const token = await db.find(tokenOfMajor, { didHash, major });
    const record = token && (await db.find(app, { tokenId: token.tokenId }));
    if (record) records.push(record);
  }
  return records;
}

/** Returns the controllers or dataHashes of a DID with a live attestation at `now`. */
async function liveSubjects(
  db: Context["db"],
  runs: typeof didAttestation | typeof dataHashAttestation,
  subject: PgColumn,
  didHash: Hex,
  now: number,
): Promise<Set<Hex>> {
  // Read in SQL, but written by key: a write in SQL would empty Ponder's cache of every table.
  const rows = await db.sql
    .select({ subject })
    .from(runs)
    .innerJoin(issuer, eq(issuer.address, runs.issuer))
    .where(and(eq(runs.didHash, didHash), applyDistrust(runs, issuer).isLiveAt(sql`${now}::int8`)));
  return new Set(rows.map((row) => row.subject as Hex));
}

/** Times of a run in Unix seconds; null if the issuer has only revoked. */
type Run = Record<"startedAt" | "expiresAt" | "lengthenedAt" | "endedAt", number | null>;

/** Returns the run after an attestation that began or renewed it. */
export function attestRun(
  stated: Record<"startedAt" | "statedAt" | "expiresAt", bigint>,
  before: Run | null,
  now: number,
) {
  const [startedAt, expiresAt] = [Number(stated.startedAt), Number(stated.expiresAt)];
  const isLengthened = before?.startedAt !== startedAt || before.expiresAt !== expiresAt;
  return {
    ...{ startedAt, expiresAt, statedAt: Number(stated.statedAt) },
    lengthenedAt: isLengthened ? now : before.lengthenedAt,
    ...{ endedAt: null, isEndFinal: false, revokedAt: null },
  };
}

/**
 * Returns the end of a run that is revoked at `now`. @param grace Seconds after expiry within which it can be renewed
 */
export function revokeRun({ endedAt, expiresAt }: Run, now: number, grace: number): number | null {
  return endedAt ?? (expiresAt !== null && now < expiresAt + grace ? now : null);
}

/**
 * Ends a run permanently, as a lost challenge or the resolver's owner does. Keeps an earlier end that distrust does not
 * undo.
 *
 * @param distrustedSince Null while the run's issuer is trusted.
 */
export function finalizeRun(
  { endedAt, isEndFinal }: { endedAt: number | null; isEndFinal: boolean },
  distrustedSince: number | null,
  now: number,
) {
  const isEnded = endedAt !== null && (isEndFinal || distrustedSince === null || endedAt < distrustedSince);
  return { endedAt: isEnded ? endedAt : now, isEndFinal: true };
}
