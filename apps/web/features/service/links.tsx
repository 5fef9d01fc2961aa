import { getSite } from "@app-registry/outbound/site";
import {
  type ClassifiedAddress,
  formatProvenLine,
  getProvenSubject,
  getRelation,
  listAddresses,
  type VerificationReport,
} from "@app-registry/sdk";
import { isCheckedUse, parseLocation } from "@app-registry/sdk/internal";
import type { EndpointView } from "../../components/record/endpointView.ts";
import { ExternalLink } from "../../components/record/labels.tsx";
import { StatusMark } from "../../components/record/Problem.tsx";

type PlaceWordsProps = { url: string; placeOf: ResolveLink };

/** Names the destination of an address. */
export function PlaceWords({ url, placeOf }: PlaceWordsProps) {
  const place = placeOf(url);
  if (place === undefined) return null;
  return (
    <span className={`small anywhere ${place.isInside ? "soft" : "strong"}`} data-place translate="no">
      {place.words}
    </span>
  );
}

/** Renders a publisher's link and names its destination. */
export function PlacedLink({ text, ...props }: PlaceWordsProps & { text?: string }) {
  return (
    <span>
      <ExternalLink url={props.url} {...(text !== undefined && { text })} /> <PlaceWords {...props} />
    </span>
  );
}

/** Destination of a link. */
type LinkDestination = {
  /** True if the link stays on the proven host or on a host that the same account controls. */
  isInside: boolean;
  /** Text after the link: "leads to stripe.com, not proven to belong to this service". */
  words: string;
};

/** Returns the destination of a service's link, or `undefined` if the text is not a URL. */
export type ResolveLink = (url: string) => LinkDestination | undefined;

/**
 * Creates the function that returns link destinations for a service's page. Without *control*, no destination is
 * proven.
 */
export function createLinkResolver(report: ReportedFacts): ResolveLink {
  const leadsTo = createAddressClassifier(report);
  const { name: proven, after: unproven } = formatProvenLine(report.did, report.facts.control.outcome);
  return (url) => {
    const place = parseDestination(url);
    if (place === undefined) return undefined;
    const leads = place.url === undefined ? "elsewhere" : leadsTo(place.url);
    const mail = place.isMail ? "writes" : "leads";
    return toLinkDestination(leads, { start: `${mail} to ${place.name}`, proven, unproven });
  };
}

function toLinkDestination(
  leads: AddressRelation,
  { start, proven, unproven }: { start: string; proven: string; unproven: string },
): LinkDestination {
  if (leads === "elsewhere")
    return { isInside: false, words: `${start}, not proven to belong to this service` };
  if (leads === "unknown") {
    return { isInside: false, words: `${start}; not determined whether it belongs to ${proven}` };
  }
  if (unproven !== "") return { isInside: false, words: `${start}${unproven}` };
  if (leads === "linked") return { isInside: true, words: `${start}, controlled by the same account` };
  if (leads === "same-path") return { isInside: true, words: `on ${proven}` };
  const where = leads === "same-site" ? `on the same site as ${proven}` : "the proven host";
  return { isInside: true, words: `${start}, ${where}` };
}

/** Parses a URL. A mail address stands for its host. `url` is undefined for schemes without a host, such as `ipfs:`. */
function parseDestination(
  url: string,
): { url: string | undefined; name: string; isMail: boolean } | undefined {
  const parsed = URL.parse(url);
  if (parsed === null) return undefined;
  const { protocol, host, pathname } = parsed;
  if (protocol === "mailto:") {
    const domain = URL.parse(`https://${pathname.slice(pathname.lastIndexOf("@") + 1)}`);
    return { url: domain?.href, name: domain?.host ?? "a mail address", isMail: true };
  }
  if (parseLocation(url) === undefined) {
    return { url: undefined, name: `an address of ${protocol.slice(0, -1)}`, isMail: false };
  }
  return { url, name: host, isMail: false };
}

type AddressRelation = ClassifiedAddress["leads"];

type ReportedFacts = Pick<VerificationReport, "did" | "facts">;

/**
 * Creates a function that returns the relation of a URL to the DID, from the evidence of *origin* or else from the
 * names alone.
 */
function createAddressClassifier({ did, facts }: ReportedFacts): (url: string) => AddressRelation {
  const addresses = (facts.origin.evidence.addresses ?? []) as ClassifiedAddress[];
  const known = new Map(addresses.map(({ url, leads }) => [url, leads]));
  // A URL that is judged may also appear elsewhere in the document, where the chain is not read: reuse its result.
  for (const { url, leads } of addresses) if (leads === "linked") known.set(url, leads);
  return (url) => known.get(url) ?? getRelation(did, url, getSite);
}

type OriginNoticeProps = { endpoint: EndpointView; report: ReportedFacts };

/** Warns above an endpoint's commands if one of its URLs is not proven to belong to the service. */
export function OriginNotice({ endpoint, report }: OriginNoticeProps) {
  const warning = originWarning(endpoint, report);
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
export function originWarning(endpoint: EndpointView, report: ReportedFacts): OriginWarning | undefined {
  const { did, facts } = report;
  const leadsTo = createAddressClassifier(report);
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
  ...new Set(addresses.map(({ url }) => URL.parse(url)?.host || "another place")),
];

const formatHosts = (addresses: readonly { url: string }[]): string =>
  new Intl.ListFormat("en").format(listHosts(addresses));
