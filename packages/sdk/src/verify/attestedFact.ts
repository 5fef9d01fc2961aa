import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import { fail, isoTime, pass } from "./facts.ts";
import type { Fact } from "./report.ts";
import type { Target } from "./target.ts";

/** An issuer's live attestation of the dataHash exists. */
export async function attestedFact(
  client: AppRegistryClient,
  { did, dataHash }: Target,
  blockNumber: bigint,
): Promise<Fact> {
  const attestations = await client.getDataHashAttestations({ did, dataHash, blockNumber });
  const live = attestations.filter((attestation) => attestation.live);
  const evidence = { dataHash, attestations };
  const [first] = live.toSorted((a, b) => b.expiresAt - a.expiresAt);
  if (first) {
    const others = live.length > 1 ? `, and by ${live.length - 1} more` : "";
    const times = `at ${isoTime(first.attestedAt)} until ${isoTime(first.expiresAt)}`;
    return pass(`The dataHash is attested by ${first.issuer} ${times}${others}.`, {
      issuer: first.issuer,
      attestedAt: first.attestedAt,
      expiresAt: first.expiresAt,
      ...evidence,
    });
  }
  if (attestations.length === 0) return fail("No authorised issuer has attested this dataHash.", evidence);
  return fail("Every attestation of this dataHash has expired or was withdrawn.", evidence);
}
