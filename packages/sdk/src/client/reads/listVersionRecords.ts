import { hashCanonicalDid, normalizeDid } from "../../did.ts";
import type { HashAlgorithm } from "../../hash.ts";
import type { BlockParameter, ClientContext } from "../context.ts";
import { getLatestBlockNumber } from "../getLatestBlockNumber.ts";
import { getRecordEvents } from "../recordEvents.ts";
import type { VersionRecord } from "../versionRecord.ts";
import { getApp } from "./getApp.ts";
import { tokenIdOf } from "./tokenIdOf.ts";

export type ListVersionRecordsParameters = BlockParameter & { did: string; major: number };

/**
 * Reads every version of a record, oldest first, from the registry's events: each with its own dataUrl, dataHash,
 * interfaces and traits, and the pointer of its JSON. Returns an empty list if the record does not exist.
 *
 * @example
 * for (const { version, dataHash } of await client.listVersionRecords({ did, major: 1 })) {
 *   console.log(formatVersion(version), dataHash);
 * }
 */
export async function listVersionRecords(
  context: ClientContext,
  { did, major, blockNumber: wanted }: ListVersionRecordsParameters,
): Promise<VersionRecord[]> {
  const canonical = normalizeDid(did);
  const blockNumber = wanted ?? (await getLatestBlockNumber(context));
  const tokenId = await tokenIdOf(context, { did: canonical, major, blockNumber });
  if (tokenId === 0n) return [];
  const [{ versionHistory }, events] = await Promise.all([
    getApp(context, { did: canonical, major, blockNumber }),
    getRecordEvents(context, { tokenId, didHash: hashCanonicalDid(canonical), blockNumber }),
  ]);
  const mint = events.minted[0];
  if (!mint) return [];

  // MetadataSet has no algorithm, but equal hashes mean equal bytes, so the hash alone finds the JSON. An earlier
  // version may have stored it.
  const pointers = new Map(events.stored.map(({ args }) => [args.hash, args.pointer]));
  let { dataUrl, traitHashes } = mint.args;
  return [mint, ...events.updated].map(({ args, blockNumber: publishedIn, transactionHash }, index, all) => {
    // The event of an update leaves the fields empty that the update does not change.
    if (args.dataUrl !== "") dataUrl = args.dataUrl;
    if (args.traitHashes.length > 0) traitHashes = args.traitHashes;
    const { minor, patch, interfaces, dataHash } = args;
    const entry = versionHistory.find((version) => version.minor === minor && version.patch === patch);
    return {
      did: canonical,
      tokenId,
      version: { major, minor, patch, registeredAt: entry?.registeredAt ?? 0 },
      interfaces,
      dataUrl,
      dataHash,
      dataHashAlgorithm: args.dataHashAlgorithm as HashAlgorithm,
      contractId: mint.args.contractId,
      traitHashes,
      pointer: pointers.get(dataHash),
      current: index === all.length - 1,
      blockNumber: publishedIn,
      transactionHash,
    };
  });
}
