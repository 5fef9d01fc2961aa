import {
  type ClassifiedAddress,
  formatProvenLine,
  type GetSite,
  type VerificationReport,
} from "@app-registry/sdk";
import { parseLocation } from "@app-registry/sdk/internal";
import { createAddressClassifier } from "./createAddressClassifier.ts";

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
export function createLinkResolver(
  report: Pick<VerificationReport, "did" | "facts">,
  siteOf: GetSite,
): ResolveLink {
  const leadsTo = createAddressClassifier(report, siteOf);
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
  leads: ClassifiedAddress["leads"],
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
  if (!URL.canParse(url)) return undefined;
  const { protocol, host, pathname } = new URL(url);
  if (protocol === "mailto:") {
    const domain = URL.parse(`https://${pathname.slice(pathname.lastIndexOf("@") + 1)}`);
    return { url: domain?.href, name: domain?.host ?? "a mail address", isMail: true };
  }
  if (parseLocation(url) === undefined) {
    return { url: undefined, name: `an address of ${protocol.slice(0, -1)}`, isMail: false };
  }
  return { url, name: host, isMail: false };
}
