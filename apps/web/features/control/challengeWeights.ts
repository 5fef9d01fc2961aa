import type { AccountControl } from "../../lib/control/readAccountControl.ts";

/**
 * Counts the issuers whose attestation of a challenger matured before the challenge was opened, and the issuers that
 * resist for the challenged controller. To win, the challenger needs more.
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
