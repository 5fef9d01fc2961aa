import {
  type AppStatus,
  canonicalizeValue,
  dataHash,
  Interfaces,
  InvalidTraitError,
  normalizeDid,
  normalizeTrait,
  PublicationConflictError,
  type PublicationRequest,
  parseVersion,
  type RegisteredDid,
  resolveDataUrl,
} from "@app-registry/sdk";
import type { Hex } from "viem";
import { stringToBytes } from "viem/utils";
import type { Draft } from "./draft.ts";

/** Publication of a draft: its exact text, the text's hash and its URL. */
export interface Publication {
  /** RFC 8785 text, or undefined if the metadata has none; see `draftProblems`. */
  canonical: string | undefined;
  dataHash: Hex | undefined;
  /** Size of the canonical text, in bytes. */
  size: number;
  /** URL for the record, or undefined while the DID or version is invalid or `dataUrlProblem` is set. */
  dataUrl: string | undefined;
  /** Reason the record can't name the URL. */
  dataUrlProblem: string | undefined;
  /** Valid traits of the document, normalized and without duplicates. */
  traits: string[];
}

function canonicalText(draft: Draft): string | undefined {
  try {
    return canonicalizeValue(draft.metadata);
  } catch {
    return undefined;
  }
}

function resolveDraftDataUrl(
  draft: Draft,
  hash: Hex | undefined,
  { publicUrl, registered }: PublicationOptions,
): Pick<Publication, "dataUrl" | "dataUrlProblem"> {
  try {
    const did = normalizeDid(draft.did);
    const dataUrl = resolveDataUrl({
      did,
      version: parseVersion(draft.version),
      dataHash: hash ?? "0x",
      dataUrl: draft.dataUrl.trim() || undefined,
      baseUrl: publicUrl,
      onChainJson: draft.storage === "chain",
      record: registered?.did === did ? registered.record : undefined,
    });
    return { dataUrl, dataUrlProblem: undefined };
  } catch (error) {
    const isConflict = error instanceof PublicationConflictError;
    return {
      dataUrl: undefined,
      dataUrlProblem: isConflict ? error.message.split("\n").slice(0, 2).join(" ") : undefined,
    };
  }
}

function validTraits(draft: Draft): string[] {
  const list = draft.metadata.traits;
  const traits = (Array.isArray(list) ? list : []).flatMap((trait) => {
    try {
      return typeof trait === "string" ? [normalizeTrait(trait)] : [];
    } catch (error) {
      if (error instanceof InvalidTraitError) return [];
      throw error;
    }
  });
  return [...new Set(traits)];
}

export interface PublicationOptions {
  /** Origin of this registry's web app. */
  publicUrl: string;
  /** Chain's record of the draft's DID, if it was read. */
  registered?: RegisteredDid | undefined;
}

/** Converts a draft, complete or not, to its publication. */
export function toPublication(draft: Draft, options: PublicationOptions): Publication {
  const canonical = canonicalText(draft);
  const hash = canonical === undefined ? undefined : dataHash(canonical, draft.algorithm);
  return {
    canonical,
    dataHash: hash,
    size: canonical === undefined ? 0 : stringToBytes(canonical).length,
    ...resolveDraftDataUrl(draft, hash, options),
    traits: validTraits(draft),
  };
}

/** Returns the status to set once the version is published, or `undefined` for no change and for a new record. */
export function getStatusToSet(draft: Draft, registered: RegisteredDid | undefined): AppStatus | undefined {
  const kept = registered?.record?.status;
  return draft.status === "" || kept === undefined || draft.status === String(kept)
    ? undefined
    : (Number(draft.status) as AppStatus);
}

/** Converts a draft without problems to the sdk's publication request. */
export const toPublicationRequest = (
  draft: Draft,
  { publicUrl, registered }: PublicationOptions,
): PublicationRequest => ({
  did: draft.did,
  version: draft.version,
  metadata: canonicalizeValue(draft.metadata),
  interfaces: draft.interfaces,
  algorithm: draft.algorithm,
  dataUrl: draft.dataUrl.trim() || undefined,
  baseUrl: publicUrl,
  onChainJson: draft.storage === "chain",
  status: getStatusToSet(draft, registered),
  allowNewMajor: true,
  contractId:
    (draft.interfaces & Interfaces.Contract) === 0 ? undefined : draft.contractId.trim() || undefined,
  fungibleTokenId: draft.fungibleTokenId.trim() || undefined,
});
