import type { Hex } from "viem";
import { normalizeDid } from "../../did.ts";
import type { Version } from "../../version.ts";
import { type BlockParameter, type ClientContext, metadataContract } from "../context.ts";
import { readView } from "../readView.ts";

/** Latest metadata JSON of a DID on the chain, with its version. */
export type StoredMetadata = {
  /** Canonical JSON text (RFC 8785). */
  json: string;
  version: Version;
  dataHash: Hex;
  /** Time of storage, in Unix seconds. */
  storedAt: number;
};

/**
 * Reads the latest metadata JSON of a DID from the metadata store. Returns `undefined` if the store has none.
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
