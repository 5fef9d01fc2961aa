import type { Address, Hex } from "viem";
import type { CanonicalDid } from "../did.ts";
import type { HashAlgorithm } from "../hash.ts";
import type { VersionEntry } from "./records.ts";

/** What the registry recorded for one published version, current or older, read from its events. */
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
  /** Contract that holds this version's JSON; undefined when it is not on the chain. */
  pointer: Address | undefined;
  /** True for the version of its major that was published last; after a reclaim it may be lower than an earlier one. */
  current: boolean;
  /** Where it was published. */
  blockNumber: bigint;
  transactionHash: Hex;
};

/** A version to look for: without `patch`, the latest patch of that minor. */
export type VersionQuery = { major: number; minor: number; patch?: number | undefined };
