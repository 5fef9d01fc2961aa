import { getSite } from "@app-registry/outbound/site";
import type { VerificationReport } from "@app-registry/sdk";
import type { EndpointView } from "../../../components/record/endpointView.ts";
import { StatusMark } from "../../../components/record/StatusMark.tsx";
import { originWarning } from "./endpointOrigin.ts";

type OriginNoticeProps = { endpoint: EndpointView; report: Pick<VerificationReport, "did" | "facts"> };

/** Warns above an endpoint's commands if one of its URLs is not proven to belong to the service. */
export function OriginNotice({ endpoint, report }: OriginNoticeProps) {
  const warning = originWarning(endpoint, report, getSite);
  if (warning === undefined) return null;
  return (
    <p className="notice marked" data-tone={warning.outcome}>
      <StatusMark outcome={warning.outcome} />
      <bdi>{warning.text}</bdi>
    </p>
  );
}
