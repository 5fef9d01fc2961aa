import { hashAlgorithmName } from "../hash.ts";
import type { DocumentCheck, Target } from "./documents.ts";
import type { Fact, Step } from "./report.ts";

const notReached = "Skipped because an earlier step did not pass.";

/** Returns the steps of the dataHash verification, for the document at dataUrl or else the chain's copy. */
export function verificationSteps(
  target: Target,
  document: DocumentCheck | undefined,
  attested: Fact,
): Step[] {
  return [
    ...documentSteps(target, document),
    { step: "attestation", outcome: attested.outcome, reason: attested.reason },
  ];
}

/** Returns the steps for a DID without a record, which has no dataUrl. */
export function stepsWithoutRecord(reason: string): Step[] {
  const steps: Step[] = [{ step: "fetch", outcome: "unknown", reason }];
  for (const step of ["canonicalize", "hash", "compare", "attestation"] as const) {
    steps.push({ step, outcome: "unknown", reason: notReached });
  }
  return steps;
}

function documentSteps(target: Target, document: DocumentCheck | undefined): Step[] {
  const unreached = (...names: Step["step"][]): Step[] =>
    names.map((step) => ({ step, outcome: "unknown", reason: notReached }));
  if (!document || document.state === "unavailable") {
    const reason = document?.reason ?? "The document is not on the chain, and its dataUrl was not checked.";
    return [{ step: "fetch", outcome: "unknown", reason }, ...unreached("canonicalize", "hash", "compare")];
  }
  const fetched: Step = { step: "fetch", outcome: "pass", reason: formatFetchReason(document) };
  if (document.state === "uncanonical") {
    return [
      fetched,
      { step: "canonicalize", outcome: "fail", reason: document.reason },
      ...unreached("hash", "compare"),
    ];
  }
  const algorithm = hashAlgorithmName(target.dataHashAlgorithm);
  return [
    fetched,
    { step: "canonicalize", outcome: "pass", reason: "Converted to canonical form (JCS, RFC 8785)." },
    { step: "hash", outcome: "pass", reason: `The ${algorithm} hash is ${document.actual}.` },
    document.matches
      ? {
          step: "compare",
          outcome: "pass",
          reason: "Matches the record's dataHash: the content is unchanged.",
        }
      : {
          step: "compare",
          outcome: "fail",
          reason: `Doesn't match the record's dataHash ${target.dataHash}: this is not the registered content.`,
        },
  ];
}

function formatFetchReason({
  source,
  location,
  ...document
}: Exclude<DocumentCheck, { state: "unavailable" }>): string {
  const from = source === "chain" ? "the chain (metadata store " : "";
  return `Read ${document.bytes} bytes from ${from}${location}${source === "chain" ? ")" : ""}.`;
}
