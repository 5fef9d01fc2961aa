import { FactsSheet } from "./FactsSheet.tsx";
import { verifyService } from "./verifyService.ts";

type StreamedFactsProps = {
  did: string;
  /** major.minor.patch */
  version: string;
  /** What is said while an answer is awaited. */
  asking: string;
};

/** The facts of one version, as soon as they are known. */
export async function StreamedFacts({ did, version, asking }: StreamedFactsProps) {
  return <FactsSheet report={await verifyService({ did, version })} asking={asking} />;
}
