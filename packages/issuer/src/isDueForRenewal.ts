import { getRenewalTime } from "@app-registry/sdk/internal";
import { isAddressEqual } from "viem";
import type { IssuerContext } from "./issuerContext.ts";
import type { AttestationResult } from "./verifyAndAttestSchema.ts";

/**
 * Returns true if live attestations should be renewed before they expire: each is in the last quarter of the maximum
 * lifetime, or is by a retired or distrusted issuer, which can't renew it.
 */
export async function isDueForRenewal(
  { client, now }: Pick<IssuerContext, "client" | "now">,
  attestations: readonly AttestationResult[],
): Promise<boolean> {
  const [{ maxTtl }, issuers] = await Promise.all([client.getResolverPolicy(), client.getIssuers()]);
  const active = issuers.filter(({ status }) => status === "active");
  return !attestations.some(
    ({ issuer, expiresAt }) =>
      active.some((one) => isAddressEqual(one.issuer, issuer)) &&
      now() < getRenewalTime(expiresAt * 1_000, maxTtl * 1_000),
  );
}
