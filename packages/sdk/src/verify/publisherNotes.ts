import { isJsonObject } from "../jsonValue.ts";
import { checkPublishable, type Problem } from "../metadata/index.ts";
import { traitHash } from "../traits.ts";
import type { Target } from "./target.ts";

/**
 * Lists problems for the publisher to fix: fields that the interfaces require and the document lacks, and traits that
 * differ from the record. The notes do not affect the facts.
 */
export function publisherNotes(target: Target, metadata: unknown): Problem[] {
  return [
    ...checkPublishable(metadata, target.interfaces, target.did, { contractId: target.contractId }),
    ...traitProblems(metadata, target.traitHashes),
  ];
}

/**
 * Lists the differences between the traits of the document and of the record. Search matches the record's trait hashes,
 * so a document with other traits misleads its readers.
 */
function traitProblems(metadata: unknown, traitHashes: readonly string[]): Problem[] {
  const traits = listTraits(metadata);
  const carried = new Set(traitHashes);
  const problems: Problem[] = [];
  const named = new Set<string>();
  for (const [index, trait] of traits.entries()) {
    const hash = hashOrUndefined(trait);
    if (hash === undefined) continue;
    named.add(hash);
    if (carried.has(hash)) continue;
    const message = `The record doesn't include the trait "${trait}", so searches for this trait won't find it.`;
    problems.push({ pointer: `/traits/${index}`, code: "trait-not-on-record", message });
  }
  for (const hash of carried) {
    if (named.has(hash)) continue;
    const message = `The record includes trait hash ${hash}, but the document lists no matching trait.`;
    problems.push({ pointer: "/traits", code: "trait-not-in-document", message });
  }
  return problems;
}

function listTraits(metadata: unknown): string[] {
  const traits = isJsonObject(metadata) ? metadata.traits : [];
  return Array.isArray(traits) ? traits.map(String) : [];
}

/** Returns `undefined` for a text that is not a trait, which `checkPublishable` reports. */
function hashOrUndefined(trait: string): string | undefined {
  try {
    return traitHash(trait);
  } catch {
    return undefined;
  }
}
