import type { Hex } from "viem";
import { type AtBlock, type ClientContext, didKey, resolverContract } from "../context.ts";
import { readView } from "../readView.ts";

/**
 * Reads whether any issuer's live attestation of a dataHash exists.
 *
 * @example
 * await client.checkDataHashAttestation({ did, dataHash }); // true
 */
export async function checkDataHashAttestation(
  context: ClientContext,
  { did, dataHash, ...at }: AtBlock & { did: string; dataHash: Hex },
): Promise<boolean> {
  return readView(
    context,
    resolverContract(context),
    "checkDataHashAttestation",
    [didKey(did), dataHash],
    at,
  );
}
