import {
  appPath,
  formatVersion,
  getProvenSubject,
  type VerificationReport,
  visibleLines,
  visibleText,
} from "@app-registry/sdk";
import { getDidHost } from "@app-registry/sdk/internal";
import type { Metadata } from "next";
import { embedPath } from "../../components/record/Badge.tsx";
import { claimedName, replaceApprovalMarks } from "../../lib/record/claims.ts";
import { environment } from "../../lib/server/registry.ts";
import { loadRequestedService, type Service } from "./loadService.ts";
import { requestedHidden } from "./ServiceProblem.tsx";

/**
 * Returns the path of a service's page. It has no version if the page shows the newest of the highest major version.
 */
const toPath = ({ record, isHighest }: Service): string =>
  appPath(record.did, isHighest ? undefined : record.version);

/**
 * Returns the title and canonical URL of a service's page, and its preview for chats and social sites. They begin with
 * the proven host and call the name claimed.
 */
export async function generateMetadata(): Promise<Metadata> {
  if (await requestedHidden()) return { title: "Hidden service", robots: { index: false } };
  const loaded = await loadRequestedService();
  if (!loaded.ok) return { title: loaded.problem.title, robots: { index: false } };
  const { record, document, isHighest } = loaded.service;
  const metadata = document.ok ? document.metadata : undefined;
  const { name: proven } = getProvenSubject(record.did);
  const name = claimedName(metadata?.name ?? "");
  const claimed = replaceApprovalMarks(visibleText(metadata?.description ?? ""));
  const { publicUrl } = environment();
  const url = publicUrl + toPath(loaded.service);
  const image = publicUrl + embedPath("card", record.did, isHighest ? undefined : record.version);
  const title = name === "" ? proven : `${proven} (claimed name: “${name}”)`;
  const description = "Who controls it, what it claims to offer and what was verified.";
  return {
    title: name === "" ? proven : `${proven} – claims the name “${name}”`,
    description:
      claimed === "" ? `The record of ${record.did}` : `Claimed by the publisher of ${proven}: “${claimed}”`,
    alternates: { canonical: url },
    openGraph: {
      type: "website",
      siteName: "App Registry",
      url,
      title,
      description,
      images: [{ url: image, width: 1200, height: 630, alt: `The record of ${proven}` }],
    },
    twitter: { card: "summary_large_image", title, description, images: [image] },
  };
}

/** Renders the service's JSON-LD for search engines. */
export function JsonLd({ service, report }: { service: Service; report: VerificationReport }) {
  const data = serviceJsonLd(service, report, environment().publicUrl + toPath(service));
  // A script element ends at "</script", even inside a JSON string.
  const text = JSON.stringify(data).replaceAll("<", "\\u003c");
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the text is JSON without "<"
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: text }} />;
}

const MAX_DESCRIPTION = 1_000;

/**
 * Describes a service in schema.org terms. The DID is its identity, and the proven host or contract its provider while
 * *control* passes. Name and publisher are claims, so they only appear in the description, which search engines do not
 * show as the publisher.
 */
export function serviceJsonLd(
  { record, document }: Pick<Service, "record" | "document">,
  report: VerificationReport,
  pageUrl: string,
): Record<string, unknown> {
  const { did, version } = record;
  const proven = getProvenSubject(did);
  // A contract has no URL.
  const url = getDidHost(did) === undefined ? {} : { url: `https://${proven.name}` };
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
      ...url,
      ...(report.facts.control.outcome === "pass" && {
        provider: { "@type": "Organization", name: proven.name, ...url },
      }),
      description: claims(metadata?.name, metadata?.publisher, metadata?.description),
      additionalProperty: [
        { "@type": "PropertyValue", name: "version", value: formatVersion(version) },
        { "@type": "PropertyValue", name: "dataHash", value: record.dataHash },
      ],
    },
  };
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

/**
 * Returns the operator's URL for reports of a service. Replaces `{did}` with the DID; a mail address gets it as its
 * subject.
 */
export function reportHref(reportUrl: string, did: string): string {
  const encoded = encodeURIComponent(did);
  // Parsing and serializing a URL encodes its braces, so match the encoded form as well.
  if (/\{did\}|%7Bdid%7D/i.test(reportUrl)) return reportUrl.replaceAll(/\{did\}|%7Bdid%7D/gi, () => encoded);
  if (!reportUrl.startsWith("mailto:")) return reportUrl;
  return `${reportUrl}${reportUrl.includes("?") ? "&" : "?"}subject=${encodeURIComponent(`Report of ${did}`)}`;
}

/** Links to the operator's report form. Renders nothing if the operator has none. */
export function ReportLink({ did }: { did: string }) {
  const { reportUrl } = environment();
  if (reportUrl === undefined) return null;
  return (
    <p>
      <a href={reportHref(reportUrl, did)} rel="noopener noreferrer">
        Report this service
      </a>
    </p>
  );
}
