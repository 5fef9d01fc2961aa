import type { AccountControl } from "./readAccountControl.ts";

/**
 * How many issuers stand behind a challenger since before the challenge, and behind the incumbent, with those whose
 * attestation of it has not settled. The challenger must have more to win.
 */
export function challengeWeights(
  openedAt: number,
  {
    challenger,
    incumbent,
  }: { challenger: AccountControl | undefined; incumbent: AccountControl | undefined },
): { score: number; weight: number } {
  const score =
    challenger?.attestations.filter(({ settled, startedAt }) => settled && startedAt <= openedAt).length ?? 0;
  const unsettled = incumbent?.attestations.filter(({ live, settled }) => live && !settled).length ?? 0;
  return { score, weight: (incumbent?.controller.standing ?? 0) + unsettled };
}
