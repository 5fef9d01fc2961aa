import { appPath, getProvenSubject, type VerificationReport } from "@app-registry/sdk";
import type { Metadata } from "next";
import { CopyBlock } from "../../components/record/documents.tsx";
import { LedgerSection } from "../../components/shell/shell.tsx";
import { claimedName } from "../../lib/record/claims.ts";
import { environment } from "../../lib/server/environment.ts";
import { BADGE_NOTE, badgeMarkdown } from "../../lib/service/badgeCode.ts";
import type { Service } from "./loadService.ts";
import { serviceJsonLd } from "./serviceJsonLd.ts";

/**
 * Returns the path of a service's page. It has no version if the page shows the newest of the highest major version.
 */
const toPath = ({ record, isHighest }: Service): string =>
  appPath(record.did, isHighest ? undefined : record.version);

/** Returns the preview for chats and social sites. It begins with the proven host and calls the name claimed. */
export function getOpenGraph(service: Service): Pick<Metadata, "openGraph" | "twitter"> {
  const { record, document } = service;
  const { publicUrl } = environment();
  const name = document.ok ? claimedName(document.metadata.name ?? "") : "";
  const { name: proven } = getProvenSubject(record.did);
  const path = toPath(service);
  const image = `${publicUrl}${path.replace(/^\/apps\//, "/api/card/")}`;
  const title = name === "" ? proven : `${proven} (claimed name: “${name}”)`;
  const description = "Who controls it, what it claims to offer and what was verified.";
  return {
    openGraph: {
      type: "website",
      siteName: "App Registry",
      url: publicUrl + path,
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

/** Shows the service's badge and its Markdown. */
export function BadgeSection({ service }: { service: Service }) {
  const path = toPath(service);
  const version = service.isHighest ? undefined : path.slice(path.lastIndexOf("/") + 1);
  const markdown = badgeMarkdown(service.record.did, version, environment().publicUrl);
  const { name } = getProvenSubject(service.record.did);
  return (
    <LedgerSection title="Badge" id="badge" note={BADGE_NOTE} fold="Show the badge">
      <div className="stack">
        <p>
          {/* biome-ignore lint/performance/noImgElement: an SVG has nothing to optimize */}
          <img
            src={path.replace(/^\/apps\//, "/api/badge/")}
            alt={`Badge of ${name}`}
            height={24}
            loading="lazy"
          />
        </p>
        <CopyBlock caption="Markdown" text={markdown} />
      </div>
    </LedgerSection>
  );
}
