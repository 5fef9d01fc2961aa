import { getSite } from "@app-registry/outbound/site";
import { type GetSite, getProvenSubject, listAddresses, type VerificationReport } from "@app-registry/sdk";
import { isCheckedUse } from "@app-registry/sdk/internal";
import type { EndpointView } from "../../../components/record/endpointView.ts";
import { StatusMark } from "../../../components/record/Problem.tsx";
import { createAddressClassifier } from "../createAddressClassifier.ts";

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

type OriginWarning = { outcome: "fail" | "unknown"; text: string };

/**
 * Returns a warning if an endpoint's URLs are on other hosts. Fails only with evidence from *origin*: names alone
 * cannot show whether the same account controls both hosts.
 */
export function originWarning(
  endpoint: EndpointView,
  report: Pick<VerificationReport, "did" | "facts">,
  siteOf: GetSite,
): OriginWarning | undefined {
  const { did, facts } = report;
  const leadsTo = createAddressClassifier(report, siteOf);
  const addresses = listAddresses(did, { endpoints: [endpoint] }).flatMap(({ use, url }) =>
    isCheckedUse(use) ? [{ url, leads: leadsTo(url) }] : [],
  );
  const elsewhere = addresses.filter(({ leads }) => leads === "elsewhere");
  const outside = addresses.filter(({ leads }) => leads === "elsewhere" || leads === "unknown");
  const { name } = getProvenSubject(did);
  if (elsewhere.length > 0 && facts.origin.evidence.addresses !== undefined) {
    return {
      outcome: "fail",
      text: `This connects to ${formatHosts(elsewhere)}, which ${listHosts(elsewhere).length > 1 ? "are" : "is"} not proven to belong to ${name}.`,
    };
  }
  if (outside.length === 0) return undefined;
  const text = `This connects to ${formatHosts(outside)}, not ${name}. Whether the same account controls both is unknown.`;
  return { outcome: "unknown", text };
}

const listHosts = (addresses: readonly { url: string }[]): string[] => [
  ...new Set(addresses.map(({ url }) => (URL.canParse(url) && new URL(url).host) || "another place")),
];

const formatHosts = (addresses: readonly { url: string }[]): string =>
  new Intl.ListFormat("en").format(listHosts(addresses));
