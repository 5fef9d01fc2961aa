import type { Hex } from "viem";
import { normalizeDid } from "../../did.ts";
import type { Version } from "../../version.ts";
import { type BlockParameter, type ClientContext, metadataContract } from "../context.ts";
import { readView } from "../readView.ts";

/** The latest metadata JSON of a DID on the chain, and its version. */
export type StoredMetadata = {
  /** The canonical (RFC 8785) JSON text. */
  json: string;
  version: Version;
  dataHash: Hex;
  /** Unix seconds. */
  storedAt: number;
};

/**
 * Reads the latest metadata JSON of a DID from the metadata store; undefined when none is on the chain.
 *
 * @example
 * const stored = await client.getMetadata(did);
 * stored?.json === metadataJson; // true
 */
export async function getMetadata(
  context: ClientContext,
  did: string,
  at?: BlockParameter,
): Promise<StoredMetadata | undefined> {
  const args = [normalizeDid(did)] as const;
  const stored = await readView(context, metadataContract(context), "getMetadata", args, at);
  const [json, major, minor, patch, dataHash, timestamp] = stored;
  if (json === "") return undefined;
  return { json, version: { major, minor, patch }, dataHash, storedAt: Number(timestamp) };
}
