import type { Address, ContractFunctionReturnType, Hex } from "viem";
import type { appRegistryAbi } from "../abi/index.ts";
import type { CanonicalDid } from "../did.ts";
import type { HashAlgorithm } from "../hash.ts";

/** The name of each status. */
export const appStatusLabels = { 0: "Active", 1: "Deprecated", 2: "Replaced" } as const;

/** 0 Active, 1 Deprecated, 2 Replaced. */
export type AppStatus = keyof typeof appStatusLabels;

/** A status as queries and URLs write it. */
export type AppStatusName = Lowercase<(typeof appStatusLabels)[AppStatus]>;

/** All status words, in the order of their values. */
export const appStatusNames = Object.values(appStatusLabels).map(
  (name) => name.toLowerCase() as AppStatusName,
);

/**
 * The status that a word names, in any case; undefined for any other text.
 *
 * @example
 * parseStatus("Deprecated"); // 1
 */
export function parseStatus(text: string): AppStatus | undefined {
  const status = appStatusNames.indexOf(text.toLowerCase() as AppStatusName);
  return status < 0 ? undefined : (status as AppStatus);
}

/**
 * What the next version of a record must be. `rising`: greater than the current one. `lowered`: greater than the current
 * one and not in the history, which holds higher versions. `open`, after a finished reclaim: any that is not in the
 * history.
 */
export type VersionOrder = "rising" | "lowered" | "open";

/** One published version. */
export type VersionEntry = {
  major: number;
  minor: number;
  patch: number;
  /** Unix seconds of the block that published it. */
  registeredAt: number;
};

type RecordFields = {
  did: CanonicalDid;
  versionMajor: number;
  /** Bitmap: 1 Human, 2 API, 4 Contract. */
  interfaces: number;
  dataUrl: string;
  dataHash: Hex;
  dataHashAlgorithm: HashAlgorithm;
  /** CAIP-10, or empty. */
  contractId: string;
  /** CAIP-19, or empty. */
  fungibleTokenId: string;
  minter: Address;
  status: AppStatus;
  traitHashes: readonly Hex[];
};

/** A record with its whole history, oldest version first. */
export type App = RecordFields & { versionHistory: readonly VersionEntry[] };

/** A record without its history, with its token, its holder and its latest version. */
export type AppSummary = RecordFields & { tokenId: bigint; owner: Address; latestVersion: VersionEntry };

type RawApp = ContractFunctionReturnType<typeof appRegistryAbi, "view", "getApp">;
type RawSummary = ContractFunctionReturnType<typeof appRegistryAbi, "view", "getAppSummary">;
type RawVersion = RawApp["versionHistory"][number];

export const toVersionEntry = (raw: RawVersion): VersionEntry => ({
  ...raw,
  registeredAt: Number(raw.registeredAt),
});

// The contract stores canonical DIDs, statuses 0..2 and algorithms 0..1 only.
const narrowRecordTypes = (raw: RawApp | RawSummary) => ({
  did: raw.did as CanonicalDid,
  status: raw.status as AppStatus,
  dataHashAlgorithm: raw.dataHashAlgorithm as HashAlgorithm,
});

export const toApp = (raw: RawApp): App => ({
  ...raw,
  ...narrowRecordTypes(raw),
  versionHistory: raw.versionHistory.map(toVersionEntry),
});

export const toAppSummary = (raw: RawSummary): AppSummary => ({
  ...raw,
  ...narrowRecordTypes(raw),
  latestVersion: toVersionEntry(raw.latestVersion),
});
