import {
  type LeadingAddress,
  provenBy,
  relationOf,
  type SiteOf,
  type VerificationReport,
} from "@app-registry/sdk";

type Leads = LeadingAddress["leads"];

/** Where a link leads. */
type LinkPlace = {
  /** Whether it stays on what is proven, or on a host that the same account controls. */
  isInside: boolean;
  /** Stands after the link: "leads to stripe.com, which is not proven". */
  words: string;
};

/** Tells where an address of a service leads; undefined for one that is not an address. */
export type PlaceOf = (url: string) => LinkPlace | undefined;

/**
 * Where the links of a service's page lead, by the evidence of *origin*, and by the names alone for addresses that the
 * evidence doesn't list. While *control* doesn't pass, nothing is proven.
 */
export function linkPlaces(
  { did, facts }: Pick<VerificationReport, "did" | "facts">,
  siteOf?: SiteOf,
): PlaceOf {
  const addresses = (facts.origin.evidence.addresses ?? []) as LeadingAddress[];
  const known = new Map(addresses.map(({ url, leads }) => [url, leads]));
  const isControlled = facts.control.outcome === "pass";
  const proven = provenBy(did).name;
  return (url) => {
    const place = placeNamed(url);
    if (place === undefined) return undefined;
    const leads =
      place.url === undefined ? "elsewhere" : (known.get(url) ?? relationOf(did, place.url, siteOf));
    const mail = place.isMail ? "writes" : "leads";
    return placeOfLead(leads, { start: `${mail} to ${place.name}`, proven, isControlled });
  };
}

function placeOfLead(
  leads: Leads,
  { start, proven, isControlled }: { start: string; proven: string; isControlled: boolean },
): LinkPlace {
  if (leads === "elsewhere") return { isInside: false, words: `${start}, which is not proven` };
  if (leads === "unknown") {
    return { isInside: false, words: `${start}; whether that belongs to ${proven} was not determined` };
  }
  if (!isControlled) return { isInside: false, words: `${start}; control is not proven now` };
  if (leads === "linked") return { isInside: true, words: `${start}, which the same account controls` };
  if (leads === "same-path") return { isInside: true, words: `stays on ${proven}` };
  const where = leads === "same-site" ? `on the same site as ${proven}` : "which is proven";
  return { isInside: true, words: `${start}, ${where}` };
}

const webSchemes = /^(?:https?|wss?|grpcs?):$/;

/** A mail address counts as its host. `url` is undefined where no host answers: what `ipfs:` names is no host. */
function placeNamed(url: string): { url: string | undefined; name: string; isMail: boolean } | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, host, pathname } = new URL(url);
  if (protocol === "mailto:") {
    const domain = URL.parse(`https://${pathname.slice(pathname.lastIndexOf("@") + 1)}`);
    return { url: domain?.href, name: domain?.host ?? "a mail address", isMail: true };
  }
  if (!webSchemes.test(protocol) || host === "") {
    return { url: undefined, name: `an address of ${protocol.slice(0, -1)}`, isMail: false };
  }
  return { url, name: host, isMail: false };
}
