import type { Attestation } from "../client/attestation.ts";
import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import { isoTime } from "./facts.ts";

/**
 * Returns the reason why the newest of several attestations is not valid now, as a clause. Returns `undefined` if no
 * issuer ever attested.
 *
 * @param ended Verb phrase for an attestation that ended before it expired.
 */
export async function explainEndedAttestation(
  client: AppRegistryClient,
  attestations: readonly Attestation[],
  { ended, blockNumber }: { ended: string; blockNumber: bigint },
): Promise<string | undefined> {
  const issuers = attestations.length === 0 ? [] : await client.getIssuers({ blockNumber });
  const distrusted = new Map(issuers.map(({ issuer, distrustedSince }) => [issuer, distrustedSince]));
  const [newest] = attestations
    .filter(({ startedAt, issuer }) => startedAt > 0 || distrusted.get(issuer) !== undefined)
    .toSorted((a, b) => b.statedAt - a.statedAt);
  if (!newest) return undefined;
  const { issuer, startedAt, endedAt, expiresAt } = newest;
  const since = distrusted.get(issuer);
  if (startedAt === 0) return `${issuer} has been distrusted${since ? ` since ${isoTime(since)}` : ""}`;
  const end =
    endedAt !== undefined && endedAt < expiresAt
      ? `${ended} on ${isoTime(endedAt)}`
      : `expired on ${isoTime(expiresAt)}`;
  return `the attestation by ${issuer} from ${isoTime(startedAt)} ${end}`;
}

/** Returns the live attestation that expires last. */
export const findLongestLived = (attestations: readonly Attestation[]): Attestation | undefined =>
  attestations.filter(({ live }) => live).toSorted((a, b) => b.expiresAt - a.expiresAt)[0];

/** Returns a live attestation as text and as evidence. */
export const describeLive = ({ issuer, startedAt, expiresAt }: Attestation) => ({
  words: `attested by ${issuer} on ${isoTime(startedAt)}, valid until ${isoTime(expiresAt)}`,
  evidence: { issuer, startedAt, expiresAt },
});
