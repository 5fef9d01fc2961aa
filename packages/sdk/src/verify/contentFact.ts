import { hashAlgorithmName } from "../hash.ts";
import type { DocumentCheck } from "./document.ts";
import { fail, pass, unknown } from "./facts.ts";
import type { Fact, Step } from "./report.ts";
import type { Target } from "./target.ts";

const placeNames = { chain: "The copy on the chain", dataUrl: "The document at dataUrl" } as const;

/** Checks that every document that was read matches the record's dataHash. */
export function contentFact(target: Target, documents: readonly DocumentCheck[]): Fact {
  const evidence = {
    dataHash: target.dataHash,
    dataHashAlgorithm: hashAlgorithmName(target.dataHashAlgorithm),
    documents: documents.map(getEvidence),
  };
  const reason = documents.map(sentence).join(" ");
  const outcomes = documents.map(getOutcome);
  if (outcomes.includes("fail")) return fail(reason, evidence);
  if (outcomes.includes("unknown")) return unknown(reason, evidence);
  if (documents.length > 0) return pass(reason, evidence);
  return unknown("The document is not on the chain, and its dataUrl was not checked.", evidence);
}

function getOutcome(document: DocumentCheck): Step["outcome"] {
  if (document.state === "unavailable") return "unknown";
  return document.state === "hashed" && document.matches ? "pass" : "fail";
}

function sentence(document: DocumentCheck): string {
  const place = placeNames[document.source];
  if (document.state === "unavailable") return `${place} couldn't be read: ${document.reason}`;
  if (document.state === "uncanonical") return `${place} doesn't match the record: ${document.reason}`;
  return `${place} ${document.matches ? "matches" : "doesn't match"} the record.`;
}

function getEvidence(document: DocumentCheck): Record<string, unknown> {
  const { source, location, state } = document;
  const outcome = getOutcome(document);
  if (state === "unavailable") return { source, location, outcome, reason: document.reason };
  if (state === "uncanonical")
    return { source, location, outcome, bytes: document.bytes, reason: document.reason };
  return { source, location, outcome, bytes: document.bytes, hash: document.actual };
}
