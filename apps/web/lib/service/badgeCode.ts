import { appPath, getProvenSubject, parseVersion } from "@app-registry/sdk";

/** Escapes text for HTML elements and quoted attributes. */
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

/** Note above a badge. The route allows caching for minutes, and sites may keep a badge longer. */
export const BADGE_NOTE =
  "Shows the results of a recent check. Sites that show the badge may keep an older copy.";

/** Returns the URLs of a service's badge and page, and the proven name. */
function badgeParts(did: string, version: string | undefined, publicUrl: string) {
  const path = appPath(did, version === undefined ? undefined : parseVersion(version));
  const { name } = getProvenSubject(did);
  return { name, image: publicUrl + path.replace(/^\/apps\//, "/api/badge/"), page: publicUrl + path };
}

/** Returns the Markdown of a badge that links to the service's page. */
export function badgeMarkdown(did: string, version: string | undefined, publicUrl: string): string {
  const { name, image, page } = badgeParts(did, version, publicUrl);
  const target = (text: string) =>
    text.replace(/[()<>\\\s]/g, encodeURIComponent).replace(/[()]/g, parenthesis);
  const alt = name.replace(/[[\]\\`*_<>]/g, "\\$&");
  return `[![App Registry: ${alt}](${target(image)})](${target(page)})`;
}

const parenthesis = (char: string): string => (char === "(" ? "%28" : "%29");

/** Returns the HTML of a badge that links to the service's page. */
export function badgeHtml(did: string, version: string | undefined, publicUrl: string): string {
  const { name, image, page } = badgeParts(did, version, publicUrl);
  const [href, src, alt] = [page, image, `App Registry: ${name}`].map(escapeHtml);
  return `<a href="${href}"><img src="${src}" alt="${alt}" height="24"></a>`;
}
