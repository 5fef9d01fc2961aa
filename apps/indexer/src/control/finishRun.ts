/** An attestation's end, and what decides whether it is heeded. Times are Unix seconds. */
interface Run {
  startedAt: number | null;
  endedAt: number | null;
  isEndFinal: boolean;
}

/**
 * Ends a run for good, as an ousting and the resolver's owner do. An end that is heeded stays where it is.
 *
 * @param distrustedSince null when the run's issuer is trusted.
 */
export function finishRun(
  { startedAt, endedAt, isEndFinal }: Run,
  distrustedSince: number | null,
  now: number,
) {
  const voidFrom = distrustedSince ?? Number.POSITIVE_INFINITY;
  const isHeeded = endedAt !== null && (startedAt ?? 0) < voidFrom && (isEndFinal || endedAt < voidFrom);
  return { endedAt: isHeeded ? endedAt : now, isEndFinal: true };
}
