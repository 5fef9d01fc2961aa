import type { SearchResult } from "@app-registry/sdk";
import { FactMarks } from "../../components/record/FactMarks.tsx";
import { rowOutcomes } from "./rowOutcomes.ts";

/** The marks of one row, as soon as they are known. */
export async function RowFacts({ result }: { result: SearchResult }) {
  return <FactMarks outcomes={await rowOutcomes(result)} />;
}
