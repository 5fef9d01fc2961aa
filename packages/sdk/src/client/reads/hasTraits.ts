import type { Hex } from "viem";
import { normalizeDid } from "../../did.ts";
import { type BlockParameter, type ClientContext, registryContract } from "../context.ts";
import { readView } from "../readView.ts";

export type HasTraitsParameters = BlockParameter & {
  did: string;
  major: number;
  traitHashes: readonly Hex[];
};

/**
 * Returns true if a record has all of the trait hashes.
 *
 * @example
 * const traitHashes = [traitHash("api:rest"), traitHash("api:mcp")];
 * await client.hasAllTraits({ did, major: 1, traitHashes }); // false
 */
export const hasAllTraits = (
  context: ClientContext,
  { did, major, traitHashes, ...at }: HasTraitsParameters,
): Promise<boolean> =>
  readView(context, registryContract(context), "hasAllTraits", [normalizeDid(did), major, traitHashes], at);

/**
 * Returns true if a record has at least one of the trait hashes.
 *
 * @example
 * const traitHashes = [traitHash("api:rest"), traitHash("api:mcp")];
 * await client.hasAnyTraits({ did, major: 1, traitHashes }); // true
 */
export const hasAnyTraits = (
  context: ClientContext,
  { did, major, traitHashes, ...at }: HasTraitsParameters,
): Promise<boolean> =>
  readView(context, registryContract(context), "hasAnyTraits", [normalizeDid(did), major, traitHashes], at);
