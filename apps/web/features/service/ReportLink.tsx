import "server-only";
import { environment } from "../../lib/server/environment.ts";
import { reportHref } from "./reportHref.ts";

/** Where a visitor reports a service to this registry's operator; nothing where the operator names no place. */
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
