import type { Address, Hex } from "viem";
import type { CanonicalDid } from "../did.ts";
import { AppRegistryError } from "../errors/appRegistryError.ts";
import type { HashAlgorithm } from "../hash.ts";
import type { VersionEntry } from "./records.ts";

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

/** Version to find. Without `patch`, the latest patch of that minor. */
export type VersionQuery = { major: number; minor: number; patch?: number | undefined };

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
