import { CheckAgainButton } from "./CheckAgainButton.tsx";
import { checkAgain } from "./checkAgain.ts";
import { FactsSheet } from "./FactsSheet.tsx";
import { verifyService } from "./verifyService.ts";

type FactsOfServiceProps = {
  did: string;
  /** major.minor.patch */
  version: string;
  /** What is said while the answer is awaited. */
  asking: string;
};

/** The facts of one version, checked now or within the last minute. */
export async function FactsOfService({ did, version, asking }: FactsOfServiceProps) {
  const report = await verifyService({ did, version });
  return (
    <FactsSheet
      report={report}
      action={
        <form action={checkAgain.bind(null, did, version)}>
          <CheckAgainButton asking={asking} />
        </form>
      }
    />
  );
}
