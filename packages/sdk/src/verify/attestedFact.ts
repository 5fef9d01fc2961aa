import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import { describeLive, explainEndedAttestation, findLongestLived } from "./attestationTexts.ts";
import { fail, pass } from "./facts.ts";
import type { Fact } from "./report.ts";
import type { Target } from "./target.ts";

/** Checks that an issuer has a live attestation of the dataHash. */
export async function attestedFact(
  client: AppRegistryClient,
  { did, dataHash }: Target,
  blockNumber: bigint,
): Promise<Fact> {
  const attestations = await client.getDataHashAttestations({ did, dataHash, blockNumber });
  const evidence = { dataHash, attestations };
  const best = findLongestLived(attestations);
  if (best) {
    const more = attestations.filter(({ live }) => live).length - 1;
    const others = more > 0 ? `, and by ${more} more` : "";
    const live = describeLive(best);
    return pass(`The dataHash is ${live.words}${others}.`, { ...live.evidence, ...evidence });
  }
  const reason = await explainEndedAttestation(client, attestations, { ended: "was revoked", blockNumber });
  if (!reason) return fail("No issuer has attested this dataHash.", evidence);
  return fail(`No attestation of this dataHash is valid now: ${reason}.`, evidence);
}
