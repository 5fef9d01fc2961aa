import {
  addressesOf,
  type LeadingAddress,
  provenBy,
  relationOf,
  type SiteOf,
  type VerificationReport,
} from "@app-registry/sdk";
import type { EndpointView } from "../../../components/record/connecting.ts";

/** What is said above an endpoint's commands: an address of it leads elsewhere than to what is proven. */
export type OriginWarning = { outcome: "fail" | "unknown"; text: string };

/** What of an endpoint a caller uses: its own address, its transport's, and where it signs in. */
const called = new Set(["endpoint", "authorization", "token", "jwks"]);

/**
 * Whether an endpoint's addresses lead elsewhere, from the fact *origin* of a report, else by the names alone: then
 * it is not known yet whether the same account controls both hosts.
 */
export function originWarning(
  did: string,
  endpoint: EndpointView,
  report: VerificationReport | undefined,
  siteOf: SiteOf,
): OriginWarning | undefined {
  if (endpoint.name === "Contract") return undefined;
  const urls = addressesOf({ endpoints: [endpoint] }).flatMap(({ use, url }) =>
    called.has(use) ? [url] : [],
  );
  const judged = (report?.facts.origin.evidence.addresses ?? []) as LeadingAddress[];
  const leads = (url: string) =>
    judged.find((address) => address.url === url)?.leads ?? outsideByName(did, url, siteOf);
  const elsewhere = urls.filter((url) => leads(url) === "elsewhere");
  const undecided = urls.filter((url) => leads(url) === "unknown");
  const { name } = provenBy(did);
  if (elsewhere.length > 0) {
    return {
      outcome: "fail",
      text: `This leads to ${placesOf(elsewhere)}, not to ${name}. Nothing proves that they belong together.`,
    };
  }
  if (undecided.length === 0) return undefined;
  const text = `This leads to ${placesOf(undecided)}, not to ${name}. Whether the same account controls both is not known yet.`;
  return { outcome: "unknown", text };
}

/** The chain may say that another host is linked, so a name alone never fails. */
function outsideByName(did: string, url: string, siteOf: SiteOf): LeadingAddress["leads"] {
  const relation = relationOf(did, url, siteOf);
  return relation === "elsewhere" ? "unknown" : relation;
}

function placesOf(urls: string[]): string {
  const places = urls.map((url) => (URL.canParse(url) && new URL(url).host) || "another place");
  return new Intl.ListFormat("en").format(new Set(places));
}
