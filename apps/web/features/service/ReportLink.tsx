import "server-only";
import { environment } from "../../lib/server/environment.ts";
import { reportHref } from "./reportHref.ts";

/** Links to the operator's report form. Renders nothing if the operator has none. */
export function ReportLink({ did }: { did: string }) {
  const { reportUrl } = environment();
  if (reportUrl === undefined) return null;
  return (
    <p>
      <a href={reportHref(reportUrl, did)} rel="noopener noreferrer">
        Report this service
      </a>
    </p>
  );
}
