import { normalizeDid } from "../../did.ts";
import { type BlockParameter, type ClientContext, registryContract } from "../context.ts";
import { readView } from "../readView.ts";

export type TokenIdOfParameters = BlockParameter & { did: string; major: number };

/**
 * Returns the token id of a DID's major version, or 0n if it is not registered.
 *
 * @example
 * (await client.tokenIdOf({ did, major: 1 })) === tokenId; // true
 */
export function tokenIdOf(
  context: ClientContext,
  { did, major, ...at }: TokenIdOfParameters,
): Promise<bigint> {
  return readView(context, registryContract(context), "tokenIdOf", [normalizeDid(did), major], at);
}
