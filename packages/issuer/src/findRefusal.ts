import type { PreparedCall } from "@app-registry/sdk";
import { ContractRevertError, toAppRegistryError } from "@app-registry/sdk";
import { simulateContract } from "viem/actions";
import { createFailedOutcome, type FailedOutcome } from "./attestationOutcome.ts";
import type { IssuerContext } from "./issuerContext.ts";
import { NotAnIssuerError } from "./notAnIssuerError.ts";

/**
 * Returns the reason the resolver would reject an attestation by the issuer now, or `undefined` if it would accept it.
 * @throws {NotAnIssuerError} if the issuer was retired or distrusted after it started.
 * @throws {RpcUnavailableError} if the chain does not respond.
 */
export async function findRefusal(
  { client, publicClient, deployment, issuer }: IssuerContext,
  call: PreparedCall,
): Promise<FailedOutcome | undefined> {
  try {
    await simulateContract(publicClient, { ...call, account: issuer });
    return undefined;
  } catch (error) {
    const refusal = toAppRegistryError(error);
    if (!(refusal instanceof ContractRevertError)) throw refusal;
    if (refusal.errorName === "NotIssuer") {
      throw new NotAnIssuerError(
        await client.getIssuer(issuer),
        deployment.contracts.ResolverWithStore.address,
      );
    }
    if (refusal.errorName === "RecentlyRevoked") return recentlyRevoked(Number(refusal.args.attestableFrom));
    // Ignore this error: it occurs only in the block of a lost challenge, so the transaction succeeds in the next
    // block.
    if (refusal.errorName === "StaleStatement") return undefined;
    throw refusal;
  }
}

function recentlyRevoked(attestableFrom: number): FailedOutcome {
  const detail =
    "This issuer recently revoked this attestation and can make it again from " +
    `${new Date(attestableFrom * 1_000).toISOString()}.`;
  return createFailedOutcome("recently-revoked", detail, { attestableFrom });
}
