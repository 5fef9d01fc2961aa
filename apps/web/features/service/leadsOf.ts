import { type LeadingAddress, relationOf, type SiteOf, type VerificationReport } from "@app-registry/sdk";

type Leads = LeadingAddress["leads"];

/** Where the addresses of a service lead: by the evidence of *origin*, else by the names alone. */
export function leadsOf(
  { did, facts }: Pick<VerificationReport, "did" | "facts">,
  siteOf: SiteOf,
): (url: string) => Leads {
  const addresses = (facts.origin.evidence.addresses ?? []) as LeadingAddress[];
  const known = new Map(addresses.map(({ url, leads }) => [url, leads]));
  // The chain is asked only about addresses that are judged; the same one may stand elsewhere in the document too.
  for (const { url, leads } of addresses) if (leads === "linked") known.set(url, leads);
  return (url) => known.get(url) ?? relationOf(did, url, siteOf);
}
