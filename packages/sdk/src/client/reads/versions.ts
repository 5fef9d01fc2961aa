import { type Address, type Hex, hexToBytes } from "viem";
import { getCode, getContractEvents } from "viem/actions";
import { hashCanonicalDid, normalizeDid } from "../../did.ts";
import { toRpcError } from "../../errors/toRpcError.ts";
import type { HashAlgorithm } from "../../hash.ts";
import { formatVersion, InvalidVersionError, toVersionSelector } from "../../version.ts";
import { type BlockRange, readInRanges } from "../blockRanges.ts";
import { method } from "../calls.ts";
import { type BlockParameter, type ClientContext, getContract, registryContract } from "../context.ts";
import { getLatestBlockNumber } from "../getLatestBlockNumber.ts";
import { getNotRegisteredMessage, VersionNotFoundError } from "../notRegistered.ts";
import { MetadataPointerError, type VersionQuery, type VersionRecord } from "../versionRecord.ts";
import { getApp, tokenIdOf } from "./records.ts";

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
export const listVersionRecords = method(
  "did major blockNumber?",
  async (
    context: ClientContext,
    { did, major, blockNumber: wanted }: ListVersionRecordsParameters,
  ): Promise<VersionRecord[]> => {
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
    return [mint, ...events.updated].map(
      ({ args, blockNumber: publishedIn, transactionHash }, index, all) => {
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
      },
    );
  },
);

/** Reads the events of a record up to a block, oldest first: its mint, its updates, and every JSON stored for its DID. */
async function getRecordEvents(
  context: ClientContext,
  { tokenId, didHash, blockNumber: toBlock }: { tokenId: bigint; didHash: Hex; blockNumber: bigint },
) {
  const { publicClient, deployment } = context;
  const registry = registryContract(context);
  const store = getContract(context, "AppMetadata");
  const span = { fromBlock: BigInt(deployment.deployBlock), toBlock };
  const record = { args: { tokenId }, strict: true } as const;
  try {
    const [minted, updated, stored] = await Promise.all([
      readInRanges(span, (range: BlockRange) =>
        getContractEvents(publicClient, { ...registry, ...range, ...record, eventName: "AppMinted" }),
      ),
      readInRanges(span, (range: BlockRange) =>
        getContractEvents(publicClient, { ...registry, ...range, ...record, eventName: "AppUpdated" }),
      ),
      readInRanges(span, (range: BlockRange) =>
        getContractEvents(publicClient, {
          ...store,
          ...range,
          eventName: "MetadataSet",
          args: { didHash },
          strict: true,
        }),
      ),
    ]);
    return { minted, updated, stored };
  } catch (error) {
    throw toRpcError(error);
  }
}

export type GetVersionRecordParameters = BlockParameter & { did: string; version: VersionQuery | string };

/** Maximum number of versions in an error message. The latest ones are listed. */
const MAX_LISTED_VERSIONS = 16;

/**
 * Reads the record of one version, current or older, from the registry's events. `major.minor` selects the patch that
 * was published last.
 *
 * @throws {VersionNotFoundError} when the version was never published. The message lists the published versions.
 * @example
 * const { dataHash, pointer, current } = await client.getVersionRecord({ did, version: { major: 1, minor: 0, patch: 0 } });
 * current; // true
 */
export const getVersionRecord = method(
  "did blockNumber?",
  async (
    context: ClientContext,
    { did: input, version: given, ...at }: GetVersionRecordParameters,
  ): Promise<VersionRecord> => {
    const version = toQuery(given);
    const did = normalizeDid(input);
    const records = await listVersionRecords(context, { did, major: version.major, ...at });
    // The records are ordered oldest first, so the last match is the latest patch.
    const found = records.findLast(
      (record) =>
        record.version.minor === version.minor &&
        (version.patch === undefined || record.version.patch === version.patch),
    );
    if (found) return found;
    if (records.length > 0)
      throw new VersionNotFoundError(did, version, { action: formatVersionList(records) });
    const words = await getNotRegisteredMessage(context, { did, major: version.major, ...at });
    throw new VersionNotFoundError(did, version, words);
  },
);

function toQuery(given: VersionQuery | string): VersionQuery {
  const { minor, ...version } = toVersionSelector(given);
  if (minor !== undefined) return { minor, ...version };
  throw new InvalidVersionError(given, "Use two or three numbers from 0 to 255, for example 1.0 or 1.0.2.");
}

function formatVersionList(records: readonly VersionRecord[]): string {
  const versions = records.slice(-MAX_LISTED_VERSIONS).map((record) => formatVersion(record.version));
  const earlier = versions.length < records.length ? "…, " : "";
  return `Registered versions: ${earlier}${versions.join(", ")}.`;
}

/**
 * Reads the metadata JSON that a `MetadataSet` event points to. The text is the code of a contract (SSTORE2: one zero
 * byte, then the text), so it never changes and can be cached forever.
 *
 * @throws {MetadataPointerError} when the address has no metadata JSON.
 * @example
 * const { pointer } = await client.getVersionRecord({ did, version: { major: 1, minor: 0, patch: 0 } });
 * const json = pointer && (await client.getMetadataAt(pointer));
 * json === metadataJson; // true
 */
export const getMetadataAt = method(
  "(pointer)",
  async (context: ClientContext, pointer: Address, { blockNumber }: BlockParameter = {}): Promise<string> => {
    const at = blockNumber === undefined ? {} : { blockNumber };
    const code = await getCode(context.publicClient, { address: pointer, ...at }).catch((error) => {
      throw toRpcError(error);
    });
    if (!code?.startsWith("0x00")) throw new MetadataPointerError(pointer);
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(hexToBytes(code).subarray(1));
    } catch (cause) {
      throw new MetadataPointerError(pointer, cause);
    }
  },
);
