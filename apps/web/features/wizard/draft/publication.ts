import {
  canonicalizeValue,
  dataHash,
  dataUrlPath,
  InvalidTraitError,
  normalizeDid,
  normalizeTrait,
  parseVersion,
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
  /** The URL that the record will name; undefined while DID or version are not valid and no URL is given. */
  dataUrl: string | undefined;
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

function defaultDataUrl(draft: Draft, publicUrl: string): string | undefined {
  try {
    return new URL(dataUrlPath(normalizeDid(draft.did), parseVersion(draft.version)), publicUrl).href;
  } catch {
    return undefined;
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

/** What a draft publishes as it stands, complete or not. `publicUrl` is the origin of this registry's web app. */
export function publicationOf(draft: Draft, publicUrl: string): Publication {
  const canonical = canonicalText(draft);
  return {
    canonical,
    dataHash: canonical === undefined ? undefined : dataHash(canonical, draft.algorithm),
    size: canonical === undefined ? 0 : stringToBytes(canonical).length,
    dataUrl: draft.dataUrl.trim() === "" ? defaultDataUrl(draft, publicUrl) : draft.dataUrl.trim(),
    traits: validTraits(draft),
  };
}
