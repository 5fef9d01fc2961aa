import {
  type ClassifiedAddress,
  type GetSite,
  getRelation,
  type VerificationReport,
} from "@app-registry/sdk";

type AddressRelation = ClassifiedAddress["leads"];

/** Where the addresses of a service lead: by the evidence of *origin*, else by the names alone. */
export function createAddressClassifier(
  { did, facts }: Pick<VerificationReport, "did" | "facts">,
  siteOf: GetSite,
): (url: string) => AddressRelation {
  const addresses = (facts.origin.evidence.addresses ?? []) as ClassifiedAddress[];
  const known = new Map(addresses.map(({ url, leads }) => [url, leads]));
  // The chain is asked only about addresses that are judged; the same one may stand elsewhere in the document too.
  for (const { url, leads } of addresses) if (leads === "linked") known.set(url, leads);
  return (url) => known.get(url) ?? getRelation(did, url, siteOf);
}
