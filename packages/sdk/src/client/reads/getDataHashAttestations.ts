import type { Hex } from "viem";
import { type Attestation, toAttestation } from "../attestation.ts";
import { type BlockParameter, type ClientContext, resolverContract, toDidHash } from "../context.ts";
import { readView } from "../readView.ts";

/**
 * Reads the newest statement of each issuer about a dataHash, revocations included; at most 16.
 *
 * @example
 * const attestations = await client.getDataHashAttestations({ did, dataHash });
 * attestations.some(({ live }) => live); // true
 */
export async function getDataHashAttestations(
  context: ClientContext,
  { did, dataHash, ...at }: BlockParameter & { did: string; dataHash: Hex },
): Promise<Attestation[]> {
  const args = [toDidHash(did), dataHash] as const;
  const views = await readView(context, resolverContract(context), "getDataHashAttestations", args, at);
  return views.map(toAttestation);
}
