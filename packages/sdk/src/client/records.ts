import type { Address, ContractFunctionReturnType, Hex } from "viem";
import type { appRegistryAbi } from "../abi/index.ts";
import type { CanonicalDid } from "../did.ts";
import type { HashAlgorithm } from "../hash.ts";

/** Names of the statuses. */
export const appStatusLabels = { 0: "Active", 1: "Deprecated", 2: "Replaced" } as const;

/** Status of a record: 0 Active, 1 Deprecated, 2 Replaced. */
export type AppStatus = keyof typeof appStatusLabels;

/** Status in lower case, as in queries and URLs. */
export type AppStatusName = Lowercase<(typeof appStatusLabels)[AppStatus]>;

/** Status names in lower case, in the order of their values. */
export const appStatusNames = Object.values(appStatusLabels).map(
  (name) => name.toLowerCase() as AppStatusName,
);

/**
 * Reads the name of a status, in any case. Returns `undefined` for any other text.
 *
 * @example
 * parseStatus("Deprecated"); // 1
 */
export function parseStatus(text: string): AppStatus | undefined {
  const status = appStatusNames.indexOf(text.toLowerCase() as AppStatusName);
  return status < 0 ? undefined : (status as AppStatus);
}

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

export const toVersionEntry = (raw: RawVersion): VersionEntry => ({
  ...raw,
  registeredAt: Number(raw.registeredAt),
});

// The casts are safe: the contract stores only canonical DIDs, statuses 0 to 2 and algorithms 0 and 1.
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
