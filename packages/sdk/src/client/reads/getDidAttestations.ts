import type { Address } from "viem";
import { type Attestation, toAttestation } from "../attestation.ts";
import { type BlockParameter, type ClientContext, resolverContract, toDidHash } from "../context.ts";
import { readView } from "../readView.ts";

/**
 * Reads the newest statement of each issuer about a controller, revocations included; at most 16.
 *
 * @example
 * const [attestation] = await client.getDidAttestations({ did, controller });
 * attestation?.live; // true
 */
export async function getDidAttestations(
  context: ClientContext,
  { did, controller, ...at }: BlockParameter & { did: string; controller: Address },
): Promise<Attestation[]> {
  const args = [toDidHash(did), controller] as const;
  const views = await readView(context, resolverContract(context), "getDIDAttestations", args, at);
  return views.map(toAttestation);
}
