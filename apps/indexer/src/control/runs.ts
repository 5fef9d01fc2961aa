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
