import { appPath, formatProvenLine, parseVersion } from "@app-registry/sdk";

/** Text as XML and HTML hold it, in elements and in quoted attributes. */
export const escapeXml = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

/** Note above a badge. The route allows copies for minutes, and sites that show it may keep one for longer. */
export const BADGE_NOTE =
  "Shows the results of a recent check. Sites that show the badge may keep an older copy.";

/** The addresses of a service's badge and page, and who is proven. */
function badgeParts(did: string, version: string | undefined, publicUrl: string) {
  const path = appPath(did, version === undefined ? undefined : parseVersion(version));
  const { name } = formatProvenLine(did, true);
  return { name, image: publicUrl + path.replace(/^\/apps\//, "/api/badge/"), page: publicUrl + path };
}

/** The Markdown that shows a service's badge and leads to its page. */
export function badgeMarkdown(did: string, version: string | undefined, publicUrl: string): string {
  const { name, image, page } = badgeParts(did, version, publicUrl);
  const target = (text: string) =>
    text.replace(/[()<>\\\s]/g, encodeURIComponent).replace(/[()]/g, parenthesis);
  const alt = name.replace(/[[\]\\`*_<>]/g, "\\$&");
  return `[![App Registry: ${alt}](${target(image)})](${target(page)})`;
}

const parenthesis = (char: string): string => (char === "(" ? "%28" : "%29");

/** The HTML that shows a service's badge and leads to its page. */
export function badgeHtml(did: string, version: string | undefined, publicUrl: string): string {
  const { name, image, page } = badgeParts(did, version, publicUrl);
  const [href, src, alt] = [page, image, `App Registry: ${name}`].map(escapeXml);
  return `<a href="${href}"><img src="${src}" alt="${alt}" height="24"></a>`;
}
