import { foldWord } from "@app-registry/sdk/internal";
import type { Hex } from "viem";
import { buildRecordLexemes, type RecordLexemes } from "./buildRecordLexemes.ts";
import { getNameKeys, getTraitHash, listContractKeys, listOutsideHosts, type NameKeys } from "./keys.ts";
import type { DetailLabels, DocumentLabels } from "./parseDocument.ts";

/** Columns of `app` from its document. */
export type RecordLabels = NameKeys &
  RecordLexemes &
  Omit<DocumentLabels, "toolNames" | "text" | "details" | "addresses" | "reached"> & {
    details: DetailLabels;
    sortName: string;
    addresses: string[];
    outsideHosts: string[] | null;
  };

/**
 * Returns the labels of a record from the document that matches its dataHash, or empty labels if there is no document.
 * Includes a trait string only if the record lists its hash. Other strings, and hashes without a string, are problems.
 */
export function recordLabels(
  record: { did: string; traitHashes: readonly Hex[]; contractId?: string },
  document: DocumentLabels | null,
): RecordLabels {
  const known = new Set(record.traitHashes);
  const traits = new Map<Hex, string>();
  const problems = [...(document?.problems ?? [])];
  document?.traits.forEach((trait, position) => {
    if (trait === "") return;
    const hash = getTraitHash(trait);
    if (hash && known.has(hash)) traits.set(hash, trait.trim().toLowerCase());
    else
      problems.push({
        pointer: `/traits/${position}`,
        code: "trait-not-on-chain",
        message: `The record doesn't contain the hash of trait "${trait}".`,
      });
  });
  for (const hash of document ? known : []) {
    if (!traits.has(hash)) {
      problems.push({
        pointer: "/traits",
        code: "trait-not-in-document",
        message: `The record contains trait hash ${hash}, which matches no trait in the document.`,
      });
    }
  }
  const labels = {
    name: document?.name ?? null,
    description: document?.description ?? null,
    publisher: document?.publisher ?? null,
    image: document?.image ?? null,
    endpoints: document?.endpoints ?? [],
    details: document?.details ?? {},
    traits: [...traits.values()],
  };
  const searched = { ...labels, did: record.did, toolNames: document?.toolNames ?? [] };
  return {
    ...labels,
    addresses: [...listContractKeys(record), ...(document?.addresses ?? [])],
    outsideHosts: document?.reached ? listOutsideHosts(record.did, document.reached) : null,
    problems,
    ...getNameKeys(labels.name),
    sortName: toSortName(labels.name ?? record.did),
    ...buildRecordLexemes({ ...searched, text: document?.text ?? "" }),
  };
}

/** Converts a name to the key by which records are sorted and compared. */
function toSortName(name: string): string {
  // Folding can lengthen a text many times; a B-tree key has at most 2,704 bytes.
  return foldWord(name).slice(0, 200).toWellFormed();
}
