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

/** What a draft publishes: the exact text, its hash and where it will be found. */
export interface Publication {
  /** The RFC 8785 text; undefined when the metadata has none, see `draftProblems`. */
  canonical: string | undefined;
  dataHash: Hex | undefined;
  /** Bytes of the canonical text. */
  size: number;
  /** The URL that the record will name; undefined while DID or version are not valid, and when `dataUrlProblem` is. */
  dataUrl: string | undefined;
  /** Why the record can't name the URL that it would. */
  dataUrlProblem: string | undefined;
  /** The document's traits that are valid, normalised, without doubles. */
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
  /** What the chain says of the draft's DID, as far as is known. */
  registered?: RegisteredDid | undefined;
}

/** What a draft publishes as it stands, complete or not. */
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

/** The status to give a record once the version is published; undefined where it keeps its own, and for a new record. */
export function getStatusToSet(draft: Draft, registered: RegisteredDid | undefined): AppStatus | undefined {
  const kept = registered?.record?.status;
  return draft.status === "" || kept === undefined || draft.status === String(kept)
    ? undefined
    : (Number(draft.status) as AppStatus);
}

/** What a draft without problems asks the sdk to publish. */
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
