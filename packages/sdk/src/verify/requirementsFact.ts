import { parseJsonStrict } from "../json.ts";
import { isJsonObject } from "../jsonValue.ts";
import { checkPublishable, type Problem } from "../metadata/index.ts";
import { traitHash } from "../traits.ts";
import type { DocumentCheck } from "./document.ts";
import { fail, pass, unknown } from "./facts.ts";
import type { Fact } from "./report.ts";
import type { Target } from "./target.ts";

/**
 * The document holds what its interfaces require, and its trait strings are those whose hashes the record carries.
 * Only the registered document is judged: a changed one says nothing about the record.
 */
export function requirementsFact(target: Target, documents: readonly DocumentCheck[]): Fact {
  const document = documents.find((candidate) => candidate.state === "hashed" && candidate.matches);
  if (document?.state !== "hashed") return unknown("The registered document could not be read.");
  const metadata = parseJsonStrict(document.canonical);
  const problems = [
    ...checkPublishable(metadata, target.interfaces, target.did, { contractId: target.contractId }),
    ...traitProblems(metadata, target.traitHashes),
  ];
  const evidence = { source: document.source, interfaces: target.interfaces, problems };
  if (problems.length === 0) {
    return pass("The document holds what its interfaces require, and its traits are the record's.", evidence);
  }
  const messages = problems.map(({ pointer, message }) => (pointer ? `${pointer}: ${message}` : message));
  return fail(messages.join(" "), evidence);
}

/** The record's trait hashes are what search matches; a document that says otherwise misleads its readers. */
function traitProblems(metadata: unknown, traitHashes: readonly string[]): Problem[] {
  const traits = traitsOf(metadata);
  const carried = new Set(traitHashes);
  const problems: Problem[] = [];
  const named = new Set<string>();
  for (const [index, trait] of traits.entries()) {
    const hash = hashOrUndefined(trait);
    if (hash === undefined) continue;
    named.add(hash);
    if (carried.has(hash)) continue;
    const message = `The record does not carry the trait "${trait}", so no search finds it by that.`;
    problems.push({ pointer: `/traits/${index}`, code: "trait-not-on-record", message });
  }
  for (const hash of carried) {
    if (named.has(hash)) continue;
    const message = `The record carries the trait hash ${hash}, which the document does not name.`;
    problems.push({ pointer: "/traits", code: "trait-not-in-document", message });
  }
  return problems;
}

function traitsOf(metadata: unknown): string[] {
  const traits = isJsonObject(metadata) ? metadata.traits : [];
  return Array.isArray(traits) ? traits.map(String) : [];
}

/** A text that is no trait is checkPublishable's to report. */
function hashOrUndefined(trait: string): string | undefined {
  try {
    return traitHash(trait);
  } catch {
    return undefined;
  }
}
