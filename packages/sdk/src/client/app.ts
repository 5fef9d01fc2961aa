import type { Address, ContractFunctionReturnType, Hex } from "viem";
import type { appRegistryAbi } from "../abi/index.ts";
import { type CanonicalDid, hashCanonicalDid, normalizeDid } from "../did.ts";
import { ContractRevertError } from "../errors/contractRevertError.ts";
import type { HashAlgorithm } from "../hash.ts";
import type { AppStatus } from "../recordEnums.ts";
import type { Version } from "../version.ts";
import { defineListing, defineRead, defineWrite, type ListingOptions, method, readView } from "./calls.ts";
import { type BlockParameter, type ClientContext, toRecordArgs } from "./context.ts";
import { formatUnknownDidMessage, isAppNotFound } from "./notRegistered.ts";

/**
 * Rule for the next version of a record. `rising`: greater than the current one. `lowered`: greater than the current
 * one and not in the history, which has higher versions. `open`, after a finished reclaim: any version that is not in
 * the history.
 */
export type VersionOrder = "rising" | "lowered" | "open";

/** Published version. */
export type VersionEntry = {
  major: number;
  minor: number;
  patch: number;
  /** Time of the block that published it, in Unix seconds. */
  registeredAt: number;
};

type RecordFields = {
  did: CanonicalDid;
  versionMajor: number;
  /** Interface bitmap: 1 Human, 2 API, 4 Contract. */
  interfaces: number;
  dataUrl: string;
  dataHash: Hex;
  dataHashAlgorithm: HashAlgorithm;
  /** CAIP-10 id of the contract, or empty. */
  contractId: string;
  /** CAIP-19 id of the token, or empty. */
  fungibleTokenId: string;
  minter: Address;
  status: AppStatus;
  traitHashes: readonly Hex[];
};

/** Record with its full history, oldest version first. */
export type App = RecordFields & { versionHistory: readonly VersionEntry[] };

/** Record without its history, with its token, its holder and its latest version. */
export type AppSummary = RecordFields & { tokenId: bigint; owner: Address; latestVersion: VersionEntry };

type RawApp = ContractFunctionReturnType<typeof appRegistryAbi, "view", "getApp">;

type RawSummary = ContractFunctionReturnType<typeof appRegistryAbi, "view", "getAppSummary">;

type RawVersion = RawApp["versionHistory"][number];

const toVersionEntry = (raw: RawVersion): VersionEntry => ({
  ...raw,
  registeredAt: Number(raw.registeredAt),
});

// The casts are safe: the contract stores only canonical DIDs, statuses 0 to 2 and algorithms 0 and 1.
const narrowRecordTypes = (raw: RawApp | RawSummary) => ({
  did: raw.did as CanonicalDid,
  status: raw.status as AppStatus,
  dataHashAlgorithm: raw.dataHashAlgorithm as HashAlgorithm,
});

const toApp = (raw: RawApp): App => ({
  ...raw,
  ...narrowRecordTypes(raw),
  versionHistory: raw.versionHistory.map(toVersionEntry),
});

const toAppSummary = (raw: RawSummary): AppSummary => ({
  ...raw,
  ...narrowRecordTypes(raw),
  latestVersion: toVersionEntry(raw.latestVersion),
});

/**
 * Reads a record with its full version history.
 *
 * @throws {ContractRevertError} `AppNotFound` when the DID has no such record.
 * @example
 * const { dataUrl, versionHistory } = await client.getApp({ did, major: 1 });
 * versionHistory.length; // 1
 */
export const getApp = defineRead("AppRegistry", "getApp", "did major", toRecordArgs, toApp);

/**
 * Reads the record of a token, with its full version history.
 *
 * @throws {ContractRevertError} `TokenNotFound` when no record has this token id.
 * @example
 * (await client.getAppByTokenId(tokenId)).did === did; // true
 */
export const getAppByTokenId = method(
  "(tokenId)",
  async (context: ClientContext, tokenId: bigint, at?: BlockParameter): Promise<App> =>
    toApp(await readView(context, "AppRegistry", "getAppByTokenId", [tokenId], at)),
);

/**
 * Reads a record without its history: with its token id, holder and latest version.
 *
 * @throws {ContractRevertError} `AppNotFound` when the DID has no such record.
 * @example
 * const { owner, latestVersion } = await client.getAppSummary({ did, major: 1 });
 * formatVersion(latestVersion); // "1.0.0"
 */
export const getAppSummary = defineRead(
  "AppRegistry",
  "getAppSummary",
  "did major",
  toRecordArgs,
  toAppSummary,
);

/**
 * Returns the token id of a DID's major version, or 0n if it is not registered.
 *
 * @example
 * (await client.tokenIdOf({ did, major: 1 })) === tokenId; // true
 */
export const tokenIdOf = defineRead("AppRegistry", "tokenIdOf", "did major", toRecordArgs);

/**
 * Returns the highest registered major version of a DID.
 *
 * @throws {ContractRevertError} `AppNotFound` when the DID has no record.
 * @example
 * await client.latestMajor(did); // 1
 */
export const latestMajor = method(
  "(did)",
  async (context: ClientContext, did: string, at?: BlockParameter): Promise<number> => {
    const canonical = normalizeDid(did);
    const args = [hashCanonicalDid(canonical)] as const;
    try {
      return await readView(context, "AppRegistry", "latestMajor", args, at);
    } catch (error) {
      if (!isAppNotFound(error)) throw error;
      // The contract's error has only the major version 0 and a hash, so this names the DID instead.
      const words = formatUnknownDidMessage(canonical);
      throw new ContractRevertError("AppNotFound", error.args, { cause: error.cause, words });
    }
  },
);

/**
 * Returns the number of records.
 *
 * @example
 * const records = await client.totalSupply();
 */
export const totalSupply = method(
  "()",
  async (context: ClientContext, at?: BlockParameter): Promise<bigint> =>
    readView(context, "AppRegistry", "totalSupply", [], at),
);

/**
 * Returns the number of records with a status.
 *
 * @example
 * const active = await client.countByStatus({ status: 0 });
 */
export const countByStatus = defineRead(
  "AppRegistry",
  "countByStatus",
  "status",
  ({ status }: { status: AppStatus }) => [status],
);

const orders: readonly VersionOrder[] = ["rising", "lowered", "open"];

/**
 * Returns the rule for the next version of a record.
 *
 * @throws {ContractRevertError} `AppNotFound` when the DID has no such record.
 * @example
 * await client.versionOrder({ did, major: 1 }); // "rising"
 */
export const versionOrder = defineRead(
  "AppRegistry",
  "versionOrder",
  "did major",
  toRecordArgs,
  (order) => orders[order] ?? "rising",
);

/**
 * Returns true if another account than the minter finished the record's last reclaim. The minter then can't change the
 * record, and resists no reclaim of it.
 *
 * @throws {ContractRevertError} `AppNotFound` when the DID has no such record.
 * @example
 * await client.hasMinterLost({ did, major: 1 }); // false
 */
export const hasMinterLost = defineRead("AppRegistry", "hasMinterLost", "did major", toRecordArgs);

export type HasTraitsParameters = BlockParameter & {
  did: string;
  major: number;
  traitHashes: readonly Hex[];
};

const toTraitArgs = ({ did, major, traitHashes }: HasTraitsParameters) =>
  [normalizeDid(did), major, traitHashes] as const;

/**
 * Returns true if a record has all of the trait hashes.
 *
 * @example
 * const traitHashes = [traitHash("api:rest"), traitHash("api:mcp")];
 * await client.hasAllTraits({ did, major: 1, traitHashes }); // false
 */
export const hasAllTraits = defineRead("AppRegistry", "hasAllTraits", "did major traitHashes", toTraitArgs);

/**
 * Returns true if a record has at least one of the trait hashes.
 *
 * @example
 * const traitHashes = [traitHash("api:rest"), traitHash("api:mcp")];
 * await client.hasAnyTraits({ did, major: 1, traitHashes }); // true
 */
export const hasAnyTraits = defineRead("AppRegistry", "hasAnyTraits", "did major traitHashes", toTraitArgs);

export type ListByInterfaceParameters = ListingOptions & {
  /** Interface bitmap, 1 to 7: 1 Human, 2 API, 4 Contract. */
  interfaces: number;
  /** True (the default) to match records with every bit, false for records with at least one. */
  matchAll?: boolean | undefined;
};

/**
 * Lists the Active records that match an interface bitmap, in order of token id.
 *
 * @example
 * for await (const app of client.listByInterface({ interfaces: Interfaces.Api })) console.log(app.did);
 */
export const listByInterface = defineListing(
  "AppRegistry",
  "getAppsByInterface",
  "interfaces matchAll?",
  ({ interfaces, matchAll = true }: ListByInterfaceParameters) => [interfaces, matchAll],
  toAppSummary,
);

export type ListByOwnerParameters = ListingOptions & { owner: Address };

/**
 * Lists the records that an account holds, in any status, in order of token id.
 *
 * @example
 * for await (const app of client.listByOwner({ owner })) console.log(app.did, app.status);
 */
export const listByOwner = defineListing(
  "AppRegistry",
  "getAppsByOwner",
  "owner",
  ({ owner }: ListByOwnerParameters) => [owner],
  toAppSummary,
);

export type ListByStatusParameters = ListingOptions & { status: AppStatus };

/**
 * Lists the records with a status, in order of token id.
 *
 * @example
 * for await (const app of client.listByStatus({ status: 0 })) console.log(app.did);
 */
export const listByStatus = defineListing(
  "AppRegistry",
  "getAppsByStatus",
  "status",
  ({ status }: ListByStatusParameters) => [status],
  toAppSummary,
);

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
export const getMetadata = method(
  "(did)",
  async (context: ClientContext, did: string, at?: BlockParameter): Promise<StoredMetadata | undefined> => {
    const args = [normalizeDid(did)] as const;
    const stored = await readView(context, "AppMetadata", "getMetadata", args, at);
    const [json, major, minor, patch, dataHash, timestamp] = stored;
    if (json === "") return undefined;
    return { json, version: { major, minor, patch }, dataHash, storedAt: Number(timestamp) };
  },
);

/**
 * Lists the published versions of a record, oldest first.
 *
 * @example
 * for await (const version of client.listVersions({ did, major: 1 })) console.log(formatVersion(version));
 */
export const listVersions = defineListing(
  "AppRegistry",
  "getVersionHistory",
  "did major",
  toRecordArgs,
  toVersionEntry,
);

export type UpdateStatusParameters = { did: string; major: number; status: AppStatus };

/**
 * Sets a record's status. A current controller may always set Deprecated or Replaced.
 *
 * @example
 * const hash = await client.updateStatus({ did, major: 1, status: 1 });
 * await client.waitForReceipt({ hash });
 */
export const updateStatus = defineWrite(
  "AppRegistry",
  "updateStatus",
  "did major status",
  ({ did, major, status }: UpdateStatusParameters) => [normalizeDid(did), major, status],
);

export type TransferParameters = { from: Address; to: Address; tokenId: bigint };

/**
 * Transfers a record's token to another account (ERC-721 `safeTransferFrom`). Does not transfer control of the DID.
 *
 * @example
 * const hash = await client.transfer({ from: owner, to: newcomer, tokenId });
 * await client.waitForReceipt({ hash });
 */
export const transfer = defineWrite(
  "AppRegistry",
  "safeTransferFrom",
  "from to tokenId",
  ({ from, to, tokenId }: TransferParameters) => [from, to, tokenId],
);
