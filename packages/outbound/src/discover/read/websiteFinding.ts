import { Interfaces } from "@app-registry/sdk";
import { mediaTypeIn } from "../../fetch/getHost.ts";
import type { DiscoverySession } from "../discoverySession.ts";
import type { Finding } from "../finding.ts";
import { pickFirstValid, sanitizeMetadata } from "../sanitizeMetadata.ts";
import { compact } from "./json.ts";
import type { Page } from "./readPage.ts";

/** Lists the icons of a page, the most useful first: home screen icons, then by size. */
function listIcons({ links }: Page): string[] {
  const icons = links.filter(({ rel }) => rel.includes("apple-touch-icon") || rel.includes("icon"));
  const rank = ({ rel, size }: Page["links"][number]) =>
    (rel.includes("apple-touch-icon") ? 10_000 : 0) + size;
  return icons.toSorted((one, other) => rank(other) - rank(one)).map(({ href }) => href);
}

/** Returns the URL of the site's `/favicon.ico` if a page names no icon and the site serves that one. */
export async function findFavicon(
  page: Page,
  url: string,
  session: DiscoverySession,
): Promise<string | undefined> {
  if (listIcons(page).length > 0) return undefined;
  const { href } = new URL("/favicon.ico", url);
  return session.ask(href, "the site's icon", async () => {
    const response = await session.guardedFetch.fetch(new URL(href), { signal: session.signal });
    await response.body?.cancel();
    return response.ok && mediaTypeIn(response.headers).startsWith("image/") ? href : undefined;
  });
}

/** Creates the finding of a web page. Prefers Open Graph fields (https://ogp.me). */
export function websiteFinding(page: Page, url: string, favicon?: string): Finding {
  const { meta, title } = page;
  const preview = meta.get("og:image:secure_url") ?? meta.get("og:image");
  const image = preview !== undefined && URL.canParse(preview, url) ? new URL(preview, url).href : undefined;
  const screenshot = pickFirstValid("external_url", [image]);
  return {
    kind: "website",
    url,
    interfaces: Interfaces.Human,
    offers: [],
    metadata: sanitizeMetadata({
      name: firstName([meta.get("application-name"), meta.get("og:title"), title]),
      description: meta.get("og:description") ?? meta.get("description"),
      publisher: meta.get("og:site_name"),
      external_url: url,
      image: pickFirstValid("image", compact([...listIcons(page), favicon])),
      ...(screenshot !== undefined && { screenshotUrls: [screenshot] }),
      platforms: { web: { launchUrl: url } },
    }),
  };
}

const firstName = (names: readonly (string | undefined)[]): string | undefined =>
  names.find((name) => name !== undefined && name !== "");
