import { Interfaces, normalizeDid, parseVersion, type RegisteredDid } from "@app-registry/sdk";
import type { Address } from "viem";
import type { Draft } from "../draft/draft.ts";
import { publicationOf } from "../draft/publication.ts";
import type { Order } from "./submission.ts";

/**
 * What a draft without problems publishes: an update of the record when its major version is registered, else a
 * new record.
 * @throws When the draft still has problems that leave it without a hash or a URL.
 */
export function orderOf(
  draft: Draft,
  options: { account: Address; registered: RegisteredDid | undefined; publicUrl: string },
): Order {
  const { canonical, dataHash, dataUrl, traits } = publicationOf(draft, options.publicUrl);
  if (canonical === undefined || dataHash === undefined || dataUrl === undefined) {
    throw new Error("The record still has open problems.");
  }
  return {
    kind: options.registered?.record === undefined ? "mint" : "update",
    did: normalizeDid(draft.did),
    version: parseVersion(draft.version),
    account: options.account,
    interfaces: draft.interfaces,
    dataUrl,
    dataHash,
    algorithm: draft.algorithm,
    traits,
    metadataJson: draft.storage === "chain" ? canonical : "",
    contractId: (draft.interfaces & Interfaces.Contract) === 0 ? "" : draft.contractId.trim(),
    fungibleTokenId: draft.fungibleTokenId.trim(),
  };
}
