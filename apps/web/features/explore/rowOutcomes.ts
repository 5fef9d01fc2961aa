import type { DocumentState, SearchResult } from "@app-registry/sdk";
import { type FactName, factNames, type Outcome } from "../../components/record/facts.ts";
import { verifyOnChain } from "../service/verifyService.ts";

export type Outcomes = Record<FactName, Outcome>;

/** What the index found at a dataUrl, as an outcome; what is left out is none. */
const contentOutcomes: Partial<Record<DocumentState, Outcome>> = {
  served: "pass",
  mismatch: "fail",
  "not-json": "fail",
};

/** The outcome of each fact of a record in a list: what the index knows, else what the chain says. */
export async function rowOutcomes(result: SearchResult): Promise<Outcomes> {
  const { control, content, attested, requirements } = result.facts ?? {};
  if (control && content && attested && requirements) {
    return { record: "pass", control, content, attested, requirements };
  }
  const { facts } = await verifyOnChain(result);
  const outcomes = Object.fromEntries(factNames.map((name) => [name, facts[name].outcome])) as Outcomes;
  // The chain alone can't tell of a document that is only at its dataUrl; the index has asked for it.
  const atDataUrl = contentOutcomes[result.document?.state ?? "pending"];
  return outcomes.content === "unknown" && atDataUrl ? { ...outcomes, content: atDataUrl } : outcomes;
}
