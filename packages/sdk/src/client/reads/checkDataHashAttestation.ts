import type { Hex } from "viem";
import { type BlockParameter, type ClientContext, resolverContract, toDidHash } from "../context.ts";
import { readView } from "../readView.ts";

/**
 * Returns true if at least one issuer has a live attestation of a dataHash.
 *
 * @example
 * await client.checkDataHashAttestation({ did, dataHash }); // true
 */
export async function checkDataHashAttestation(
  context: ClientContext,
  { did, dataHash, ...at }: BlockParameter & { did: string; dataHash: Hex },
): Promise<boolean> {
  return readView(
    context,
    resolverContract(context),
    "checkDataHashAttestation",
    [toDidHash(did), dataHash],
    at,
  );
}
