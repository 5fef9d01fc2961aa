import type { Address, Hex } from "viem";
import { hashCanonicalDid, normalizeDid } from "../../did.ts";
import { ContractRevertError } from "../../errors/contractRevertError.ts";
import type { Version } from "../../version.ts";
import { defineListing, defineRead, method, readView } from "../calls.ts";
import { type BlockParameter, type ClientContext, toRecordArgs } from "../context.ts";
import type { ListingOptions } from "../listing.ts";
import { formatUnknownDidMessage, isAppNotFound } from "../notRegistered.ts";
import {
  type App,
  type AppStatus,
  toApp,
  toAppSummary,
  toVersionEntry,
  type VersionOrder,
} from "../records.ts";

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

/** Open reclaim of a claimant. It can be finished from `finishableFrom` until `expiresAt`. Times are Unix seconds. */
export type Reclaim = { openedAt: number; finishableFrom: number; expiresAt: number };

export type ReclaimParameters = { did: string; major: number; claimant: Address };

/**
 * Reads a claimant's open reclaim of a record. Returns `undefined` if no reclaim is open or it has expired.
 *
 * @example
 * const reclaim = await client.getReclaim({ did, major: 1, claimant: newcomer });
 * if (reclaim) console.log(new Date(reclaim.finishableFrom * 1000));
 */
export const getReclaim = defineRead(
  "AppRegistry",
  "getReclaim",
  "did major claimant",
  ({ did, major, claimant }: ReclaimParameters) => [normalizeDid(did), major, claimant],
  ({ openedAt, finishableFrom, expiresAt }): Reclaim | undefined =>
    openedAt === 0n
      ? undefined
      : { openedAt: Number(openedAt), finishableFrom: Number(finishableFrom), expiresAt: Number(expiresAt) },
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
