import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import { longest, reasonOfEnd } from "./attestationTexts.ts";
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
  const evidence = { dataHash, attestations };
  const first = longest(attestations);
  if (first) {
    const more = attestations.filter(({ live }) => live).length - 1;
    const others = more > 0 ? `, and by ${more} more` : "";
    const times = `at ${isoTime(first.startedAt)} until ${isoTime(first.expiresAt)}`;
    return pass(`The dataHash is attested by ${first.issuer} ${times}${others}.`, {
      issuer: first.issuer,
      startedAt: first.startedAt,
      expiresAt: first.expiresAt,
      ...evidence,
    });
  }
  const reason = await reasonOfEnd(client, attestations, { ended: "was revoked", blockNumber });
  if (!reason) return fail("No issuer has attested this dataHash.", evidence);
  return fail(`No attestation of this dataHash holds: ${reason}.`, evidence);
}
