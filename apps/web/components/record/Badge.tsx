import { appPath, getProvenSubject, type VersionInput } from "@app-registry/sdk";
import { LedgerSection } from "../shell/shell.tsx";
import { CopyBlock } from "./documents.tsx";

/** Returns the path of a service's badge or card. */
export const embedPath = (kind: "badge" | "card", did: string, version?: VersionInput): string =>
  appPath(did, version).replace(/^\/apps\//, `/api/${kind}/`);

/** Version that the badge's page shows. Without one, it shows the latest. */
type BadgeProps = { did: string; version?: VersionInput | undefined; publicUrl: string };

/** Shows a service's badge and its code: in a fold only the Markdown. */
export function BadgeSection({ fold, ...badge }: BadgeProps & { fold?: string }) {
  const { did, version } = badge;
  return (
    <LedgerSection
      title="Badge"
      id="badge"
      // The route allows caching for minutes, and sites may keep a badge longer.
      note="Shows the results of a recent check. Sites that show the badge may keep an older copy."
      {...(fold !== undefined && { fold })}
    >
      <div className="stack">
        <p>
          {/* biome-ignore lint/performance/noImgElement: an SVG has nothing to optimize */}
          <img
            src={embedPath("badge", did, version)}
            alt={`Badge of ${getProvenSubject(did).name}`}
            height={24}
            loading="lazy"
          />
        </p>
        <CopyBlock caption="Markdown" text={badgeMarkdown(badge)} />
        {fold === undefined ? <CopyBlock caption="HTML" text={badgeHtml(badge)} /> : null}
      </div>
    </LedgerSection>
  );
}

/** Returns the URLs of a service's badge and page, and the proven name. */
const badgeParts = ({ did, version, publicUrl }: BadgeProps) => ({
  name: getProvenSubject(did).name,
  image: publicUrl + embedPath("badge", did, version),
  page: publicUrl + appPath(did, version),
});

/** Returns the Markdown of a badge that links to the service's page. */
export function badgeMarkdown(badge: BadgeProps): string {
  const { name, image, page } = badgeParts(badge);
  const target = (text: string) =>
    text.replace(/[()<>\\\s]/g, encodeURIComponent).replace(/[()]/g, parenthesis);
  const alt = name.replace(/[[\]\\`*_<>]/g, "\\$&");
  return `[![App Registry: ${alt}](${target(image)})](${target(page)})`;
}

const parenthesis = (char: string): string => (char === "(" ? "%28" : "%29");

/** Returns the HTML of a badge that links to the service's page. */
export function badgeHtml(badge: BadgeProps): string {
  const { name, image, page } = badgeParts(badge);
  const [href, src, alt] = [page, image, `App Registry: ${name}`].map(escapeHtml);
  return `<a href="${href}"><img src="${src}" alt="${alt}" height="24"></a>`;
}

/** Escapes text for HTML elements and quoted attributes. */
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
