import { type Address, type Hex, hexToBytes } from "viem";
import { getCode, getContractEvents } from "viem/actions";
import { getReusableDataUrl } from "../dataUrl.ts";
import { type CanonicalDid, hashCanonicalDid, normalizeDid } from "../did.ts";
import { AppRegistryError } from "../errors/appRegistryError.ts";
import { toRpcError } from "../errors/toAppRegistryError.ts";
import type { HashAlgorithm } from "../hash.ts";
import {
  formatVersion,
  InvalidVersionError,
  toVersion,
  toVersionSelector,
  type VersionInput,
} from "../version.ts";
import { getApp, getAppSummary, tokenIdOf, type VersionEntry } from "./app.ts";
import { defineWrite, method } from "./calls.ts";
import { type BlockParameter, type ClientContext, getContract, registryContract } from "./context.ts";
import { type BlockRange, getLatestBlockNumber, readInRanges } from "./events.ts";
import { getNotRegisteredMessage, VersionNotFoundError, type VersionQuery } from "./notRegistered.ts";

/** Published version of a record, current or older, from the registry's events. */
export type VersionRecord = {
  did: CanonicalDid;
  tokenId: bigint;
  version: VersionEntry;
  interfaces: number;
  dataUrl: string;
  dataHash: Hex;
  dataHashAlgorithm: HashAlgorithm;
  contractId: string;
  traitHashes: readonly Hex[];
  /** Contract with this version's JSON; `undefined` if the JSON is not on the chain. */
  pointer: Address | undefined;
  /** True for the last published version of its major. After a reclaim it may be lower than an earlier one. */
  current: boolean;
  /** Block that published it. */
  blockNumber: bigint;
  transactionHash: Hex;
};

/** Thrown when the address has no metadata JSON. */
export class MetadataPointerError extends AppRegistryError {
  override readonly name = "MetadataPointerError";

  constructor(pointer: Address, cause?: unknown) {
    super(`There is no metadata JSON at ${pointer}.`, {
      action: "Use a pointer from a MetadataSet event on the same chain.",
      docsPath: "/sdk#versions",
      cause,
    });
  }
}

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

export type MintParameters = {
  did: string;
  version: VersionInput;
  /** Interface bitmap, 1 to 7: 1 Human, 2 API, 4 Contract. */
  interfaces: number;
  /** URL that serves the metadata JSON, 1 to 2,048 bytes. */
  dataUrl: string;
  dataHash: Hex;
  dataHashAlgorithm: HashAlgorithm;
  /** Trait hashes, at most 20. */
  traitHashes?: readonly Hex[] | undefined;
  /**
   * Canonical text (RFC 8785) that hashes to `dataHash`, at most 24,575 bytes. Default: none, and the JSON is not
   * stored on the chain.
   */
  metadataJson?: string | undefined;
  /** CAIP-10 id of the contract. */
  contractId?: string | undefined;
  /** CAIP-19 id of the token. */
  fungibleTokenId?: string | undefined;
};

/**
 * Registers a service: creates the record of a major version and its token, and stores the metadata JSON. The account
 * must control the DID.
 *
 * @throws {ContractRevertError} before anything is sent, when the registry would refuse.
 * @example
 * const { canonical, dataHash } = hashDocument(JSON.stringify(metadata), HashAlgorithm.keccak256);
 * const hash = await client.mint({
 *   did,
 *   version: parseVersion("1.0.0"),
 *   interfaces: Interfaces.Api,
 *   dataUrl,
 *   dataHash,
 *   dataHashAlgorithm: HashAlgorithm.keccak256,
 *   traitHashes: [traitHash("api:rest")],
 *   metadataJson: canonical,
 * });
 * await client.waitForReceipt({ hash });
 */
export const mint = defineWrite(
  "AppRegistry",
  "mint",
  "did interfaces dataUrl dataHash dataHashAlgorithm traitHashes? metadataJson? contractId? fungibleTokenId?",
  (parameters: MintParameters) => {
    const { did, interfaces, dataUrl, dataHash, dataHashAlgorithm } = parameters;
    const { major, minor, patch } = toVersion(parameters.version);
    const { fungibleTokenId = "", contractId = "", traitHashes = [], metadataJson = "" } = parameters;
    return [
      normalizeDid(did),
      interfaces,
      dataUrl,
      dataHash,
      dataHashAlgorithm,
      fungibleTokenId,
      contractId,
      major,
      minor,
      patch,
      traitHashes,
      metadataJson,
    ];
  },
);

export type UpdateAppControlledParameters = {
  did: string;
  /** New version. Its major selects the record; its minor and patch must be higher than the current pair. */
  version: VersionInput;
  dataHash: Hex;
  dataHashAlgorithm: HashAlgorithm;
  /** URL of the metadata JSON. Default: the stored URL. */
  dataUrl?: string | undefined;
  /**
   * Interface bitmap, a superset of the stored one; adding a bit needs a higher minor version. Default 0: the stored
   * bitmap.
   */
  interfaces?: number | undefined;
  /** Trait hashes, at most 20. Default: the stored ones. */
  traitHashes?: readonly Hex[] | undefined;
  /**
   * Canonical text (RFC 8785) that hashes to `dataHash`, at most 24,575 bytes. Default: none, and the JSON is not
   * stored on the chain.
   */
  metadataJson?: string | undefined;
};

/**
 * Publishes a new minor or patch version. The account must be the minter, the holder or an operator of the holder, and
 * that minter or holder must control the DID.
 *
 * @throws {PublicationConflictError} `data-url` when no dataUrl is given, the content changes and the stored URL names
 * another version; `prepareUpdateAppControlled` does not check it.
 * @throws {ContractRevertError} before anything is sent, when the registry would refuse.
 * @example
 * const { canonical, dataHash } = hashDocument(JSON.stringify(metadata), HashAlgorithm.keccak256);
 * const hash = await client.updateAppControlled({
 *   did,
 *   version: parseVersion("1.0.1"),
 *   dataHash,
 *   dataHashAlgorithm: HashAlgorithm.keccak256,
 *   metadataJson: canonical,
 * });
 * await client.waitForReceipt({ hash });
 */
export const updateAppControlled = defineWrite(
  "AppRegistry",
  "updateAppControlled",
  "did dataHash dataHashAlgorithm dataUrl? traitHashes? metadataJson?",
  (parameters: UpdateAppControlledParameters) => {
    const { did, dataHash, dataHashAlgorithm } = parameters;
    const { major, minor, patch } = toVersion(parameters.version);
    const { dataUrl = "", interfaces = 0, traitHashes = [], metadataJson = "" } = parameters;
    return [
      normalizeDid(did),
      major,
      dataUrl,
      dataHash,
      dataHashAlgorithm,
      interfaces,
      traitHashes,
      minor,
      patch,
      metadataJson,
    ];
  },
  async (context, { did, version, dataHash, dataUrl }) => {
    if (dataUrl) return;
    const next = toVersion(version);
    getReusableDataUrl(await getAppSummary(context, { did, major: next.major }), { version: next, dataHash });
  },
);

export type RepublishMetadataParameters = {
  did: string;
  major: number;
  /** Canonical JSON text (RFC 8785) that hashes to the record's dataHash. */
  metadataJson: string;
};

/**
 * Stores the JSON of a record's current version again, as the DID's latest JSON.
 *
 * @example
 * const hash = await client.republishMetadata({ did, major: 1, metadataJson });
 * await client.waitForReceipt({ hash });
 */
export const republishMetadata = defineWrite(
  "AppRegistry",
  "republishMetadata",
  "did major metadataJson",
  ({ did, major, metadataJson }: RepublishMetadataParameters) => [normalizeDid(did), major, metadataJson],
);
