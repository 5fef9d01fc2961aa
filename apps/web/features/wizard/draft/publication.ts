import type { ServedDocument } from "@app-registry/outbound";
import {
  type AppStatus,
  canonicalizeValue,
  dataHash,
  dataUrlPath,
  Interfaces,
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
import { toList } from "./pointer.ts";

/** Check of a data URL: the document with this hash must be served. Body of POST /api/check-data-url. */
export interface DataUrlQuestion {
  url: string;
  dataHash: Hex;
  algorithm: Draft["algorithm"];
}

interface DraftDataUrl {
  /** URL for the record, or undefined while the DID or version is invalid or `dataUrlProblem` is set. */
  dataUrl?: string | undefined;
  /** Reason the record can't name the URL. */
  dataUrlProblem?: string | undefined;
  /**
   * Check that must pass before the draft is published: of a URL that the publisher entered, or of any URL that is the
   * only storage of the JSON. The registry's own URL serves the chain's copy and needs no check.
   */
  question?: DataUrlQuestion | undefined;
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
): DraftDataUrl {
  try {
    const did = normalizeDid(draft.did);
    const version = parseVersion(draft.version);
    const isOnChain = draft.storage === "chain";
    const own = draft.dataUrl.trim();
    const dataUrl = resolveDataUrl({
      did,
      version,
      dataHash: hash ?? "0x",
      dataUrl: own || undefined,
      baseUrl: publicUrl,
      onChainJson: isOnChain,
      record: registered?.did === did ? registered.record : undefined,
    });
    const isServed =
      isOnChain && (own === "" || dataUrl === new URL(dataUrlPath(did, version), publicUrl).href);
    const question =
      hash && dataUrl ? { url: dataUrl, dataHash: hash, algorithm: draft.algorithm } : undefined;
    return { dataUrl, question: isServed ? undefined : question };
  } catch (error) {
    const isConflict = error instanceof PublicationConflictError;
    return { dataUrlProblem: isConflict ? error.message.split("\n").slice(0, 2).join(" ") : undefined };
  }
}

function validTraits({ metadata }: Draft): string[] {
  const traits = toList(metadata.traits).flatMap((trait) => {
    try {
      return typeof trait === "string" ? [normalizeTrait(trait)] : [];
    } catch {
      return [];
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
export function toPublication(draft: Draft, options: PublicationOptions) {
  const canonical = canonicalText(draft);
  const hash = canonical === undefined ? undefined : dataHash(canonical, draft.algorithm);
  return {
    /** RFC 8785 text, or undefined if the metadata has none; see `draftProblems`. */
    canonical,
    dataHash: hash,
    /** Size of the canonical text, in bytes. */
    size: canonical === undefined ? 0 : stringToBytes(canonical).length,
    ...resolveDraftDataUrl(draft, hash, options),
    /** Valid traits of the document, normalized and without duplicates. */
    traits: validTraits(draft),
  };
}

/** Publication of a draft: its exact text, the text's hash and its URL. */
export type Publication = ReturnType<typeof toPublication>;

/** Returns true if a URL can be read by the registry. */
export const isReadableUrl = (url: string): boolean => /^https?:/i.test(url);

/** Returns the reason that a data URL blocks publishing, or `undefined` if the URL serves the document. */
export function checkDataUrl(
  { question, dataUrlProblem }: Publication,
  answer: ServedDocument | undefined,
): string | undefined {
  if (question === undefined) return dataUrlProblem;
  if (!isReadableUrl(question.url))
    return "The registry can't read this URL. Use one that starts with https://.";
  if (answer === undefined)
    return "Upload this JSON to the data URL, then select Check URL. The URL must serve exactly this document.";
  return answer.ok
    ? undefined
    : `${answer.reason} Upload the current JSON to the data URL, then check again.`;
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
