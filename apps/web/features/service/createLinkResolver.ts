import {
  type ClassifiedAddress,
  type GetSite,
  getProvenSubject,
  type VerificationReport,
} from "@app-registry/sdk";
import { parseLocation } from "@app-registry/sdk/internal";
import { createAddressClassifier } from "./createAddressClassifier.ts";

/** Where a link leads. */
type LinkDestination = {
  /** Whether it stays on what is proven, or on a host that the same account controls. */
  isInside: boolean;
  /** Stands after the link: "leads to stripe.com, not proven to be its own". */
  words: string;
};

/** Tells where an address of a service leads; undefined for one that is not an address. */
export type ResolveLink = (url: string) => LinkDestination | undefined;

/** Where the links of a service's page lead. While *control* doesn't pass, nothing is proven. */
export function createLinkResolver(
  report: Pick<VerificationReport, "did" | "facts">,
  siteOf: GetSite,
): ResolveLink {
  const leadsTo = createAddressClassifier(report, siteOf);
  const isControlled = report.facts.control.outcome === "pass";
  const proven = getProvenSubject(report.did).name;
  return (url) => {
    const place = parseDestination(url);
    if (place === undefined) return undefined;
    const leads = place.url === undefined ? "elsewhere" : leadsTo(place.url);
    const mail = place.isMail ? "writes" : "leads";
    return toLinkDestination(leads, { start: `${mail} to ${place.name}`, proven, isControlled });
  };
}

function toLinkDestination(
  leads: ClassifiedAddress["leads"],
  { start, proven, isControlled }: { start: string; proven: string; isControlled: boolean },
): LinkDestination {
  if (leads === "elsewhere")
    return { isInside: false, words: `${start}, not proven to belong to this service` };
  if (leads === "unknown") {
    return { isInside: false, words: `${start}; not determined whether it belongs to ${proven}` };
  }
  if (!isControlled) return { isInside: false, words: `${start}; control not currently proven` };
  if (leads === "linked") return { isInside: true, words: `${start}, controlled by the same account` };
  if (leads === "same-path") return { isInside: true, words: `on ${proven}` };
  const where = leads === "same-site" ? `on the same site as ${proven}` : "the proven host";
  return { isInside: true, words: `${start}, ${where}` };
}

/** A mail address counts as its host. `url` is undefined where no host answers: what `ipfs:` names is no host. */
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
