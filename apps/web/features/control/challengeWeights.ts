import type { AccountControl } from "./readAccountControl.ts";

/**
 * Counts the issuers whose attestation of a challenger has been matured since the challenge was opened, and those that
 * resist for the challenged controller. The challenger must have more to win.
 */
export function challengeWeights(
  openedAt: number,
  {
    challenger,
    incumbent,
  }: { challenger: AccountControl | undefined; incumbent: AccountControl | undefined },
): { score: number; resistance: number } {
  const matured = challenger?.attestations.filter((one) => one.matured && one.maturesAt <= openedAt);
  return { score: matured?.length ?? 0, resistance: incumbent?.controller.resistance ?? 0 };
}
