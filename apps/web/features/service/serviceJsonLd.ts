import {
  formatVersion,
  getProvenSubject,
  type VerificationReport,
  visibleLines,
  visibleText,
} from "@app-registry/sdk";
import { getDidHost } from "@app-registry/sdk/internal";
import type { Service } from "./loadService.ts";

const MAX_DESCRIPTION = 1_000;

/**
 * Describes a service in schema.org terms. The DID is its identity, and the proven host or contract its provider while
 * *control* passes. Name and publisher are claims, so they only appear in the description, which search engines do not
 * show as the publisher.
 */
export function serviceJsonLd(
  { record, document }: Pick<Service, "record" | "document">,
  report: VerificationReport | undefined,
  pageUrl: string,
): Record<string, unknown> {
  const { did, version } = record;
  const proven = getProvenSubject(did);
  const controlled = report?.facts.control.outcome === "pass";
  const url = provenUrl(did);
  const metadata = document.ok ? document.metadata : undefined;
  return {
    "@context": "https://schema.org",
    "@type": "WebPage",
    url: pageUrl,
    name: `The record of ${proven.name}`,
    about: {
      "@type": "Service",
      "@id": did,
      identifier: did,
      name: proven.name,
      ...(url === undefined ? {} : { url }),
      ...(controlled
        ? { provider: { "@type": "Organization", name: proven.name, ...(url === undefined ? {} : { url }) } }
        : {}),
      description: claims(metadata?.name, metadata?.publisher, metadata?.description),
      additionalProperty: [
        { "@type": "PropertyValue", name: "version", value: formatVersion(version) },
        { "@type": "PropertyValue", name: "dataHash", value: record.dataHash },
      ],
    },
  };
}

/** Returns the URL that a DID proves. A contract has none. */
function provenUrl(did: string): string | undefined {
  return getDidHost(did) === undefined ? undefined : `https://${getProvenSubject(did).name}`;
}

/** Returns the publisher's statements, marked as claims. */
function claims(name?: string, publisher?: string, description?: string): string {
  const sentences = [
    name === undefined ? "" : `Claimed name: “${visibleText(name)}”.`,
    publisher === undefined ? "" : `Claimed publisher: “${visibleText(publisher)}”.`,
    description === undefined ? "" : `Claimed description: ${visibleLines(description)}`,
  ];
  return sentences.filter(Boolean).join(" ").slice(0, MAX_DESCRIPTION) || "No description.";
}
