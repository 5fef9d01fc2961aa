import type { SearchResult } from "@app-registry/sdk";
import { type FactName, factNames, type Outcome } from "../../components/record/facts.ts";
import { verifyOnChain } from "../service/verifyService.ts";

export type Outcomes = Record<FactName, Outcome>;

/** The outcome of each fact of a record in a list: what the index knows, else what the chain says. */
export async function rowOutcomes(result: SearchResult): Promise<Outcomes> {
  const { control, content, attested, requirements } = result.facts ?? {};
  if (control && content && attested && requirements) {
    return { record: "pass", control, content, attested, requirements };
  }
  const { facts } = await verifyOnChain(result);
  return Object.fromEntries(factNames.map((name) => [name, facts[name].outcome])) as Outcomes;
}
