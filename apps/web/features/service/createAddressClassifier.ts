import {
  type ClassifiedAddress,
  type GetSite,
  getRelation,
  type VerificationReport,
} from "@app-registry/sdk";

type AddressRelation = ClassifiedAddress["leads"];

/**
 * Creates a function that returns the relation of a URL to the DID, from the evidence of *origin* or else from the
 * names alone.
 */
export function createAddressClassifier(
  { did, facts }: Pick<VerificationReport, "did" | "facts">,
  siteOf: GetSite,
): (url: string) => AddressRelation {
  const addresses = (facts.origin.evidence.addresses ?? []) as ClassifiedAddress[];
  const known = new Map(addresses.map(({ url, leads }) => [url, leads]));
  // A URL that is judged may also appear elsewhere in the document, where the chain is not read: reuse its result.
  for (const { url, leads } of addresses) if (leads === "linked") known.set(url, leads);
  return (url) => known.get(url) ?? getRelation(did, url, siteOf);
}
