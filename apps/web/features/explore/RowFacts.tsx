import type { SearchResult } from "@app-registry/sdk";
import { FactMarks } from "../../components/record/FactMarks.tsx";
import { verifyOnChain } from "../service/verifyService.ts";

/** The marks of one row: what the index knows, else what the chain says. */
export async function RowFacts({ result }: { result: SearchResult }) {
  const { control, content, attested, requirements } = result.facts ?? {};
  if (control && content && attested && requirements) {
    return <FactMarks outcomes={{ record: "pass", control, content, attested, requirements }} />;
  }
  const { facts } = await verifyOnChain(result);
  return (
    <FactMarks
      outcomes={{
        record: facts.record.outcome,
        control: facts.control.outcome,
        content: facts.content.outcome,
        attested: facts.attested.outcome,
        requirements: facts.requirements.outcome,
      }}
    />
  );
}
