import { Interfaces } from "@app-registry/sdk";
import { Parser } from "htmlparser2";
import { mediaTypeIn } from "../../fetch/hosts.ts";
import { compact } from "../../import/json.ts";
import { pickFirstValid, sanitizeMetadata } from "../../import/sanitizeMetadata.ts";
import type { DiscoverySession } from "../discoverySession.ts";
import type { Finding } from "../finding.ts";

/** Content of a web page's head, with absolute URLs. */
export type Page = {
  title: string;
  /** First content of each `meta` element by its `name` or `property`, in lower case. */
  meta: Map<string, string>;
  links: { rel: string[]; href: string; size: number }[];
  /** OpenAPI documents that a page of Swagger UI, Redoc or Scalar shows, and scripts that name them. */
  documents: string[];
};

/** Where pages of Swagger UI, Redoc and Scalar, and their scripts, name their document. */
const viewers =
  /SwaggerUI|swagger-ui|<redoc|Redoc\.init|@scalar\/|Scalar\.createApiReference|id="api-reference"/i;
const documentNames =
  /(?:\bspec-url=|\bdata-url=|Redoc\.init\(\s*|\burl["']?\s*:\s*(resolveUrl\()?|\bsrc=(?=\S*swagger-(?:ui-init|initializer)\.js\b))["']([^"'\s<>]{1,2000})["']/g;

/** Elements allowed in a head. Any other element ends it (HTML standard). */
const headElements = /^(?:html|head|title|meta|link|base|script|style|noscript|template)$/;

/** Maximum number of elements to read, and characters to parse between two checks of it. */
const MAX_ELEMENTS = 1_000;
const CHUNK = 8_192;

/** Maximum length of the start of a page in which the name of a document is searched, in characters. */
const MAX_VIEWER = 200_000;

/** Maximum length of one text of a page, in characters. The limits of the metadata fields are lower. */
const MAX_TEXT = 20_000;

export function readPage(html: string, pageUrl: string): Page {
  const page: Page = { title: "", meta: new Map(), links: [], documents: [] };
  let base = pageUrl;
  let elements = 0;
  let ended = false;
  let inTitle = false;
  const absolute = (href: string | undefined) =>
    href !== undefined && URL.canParse(href.trim(), base) ? new URL(href.trim(), base).href : undefined;
  const parser = new Parser({
    onopentag(name, attributes) {
      ended ||= !headElements.test(name) || ++elements > MAX_ELEMENTS;
      if (ended) return;
      inTitle = name === "title" && page.title === "";
      if (name === "base") base = absolute(attributes.href) ?? base;
      if (name === "meta") {
        const key = (attributes.property ?? attributes.name ?? "").trim().toLowerCase();
        const content = attributes.content?.trim().slice(0, MAX_TEXT) ?? "";
        if (key !== "" && content !== "" && !page.meta.has(key)) page.meta.set(key, content);
      }
      const href = name === "link" ? absolute(attributes.href) : undefined;
      if (href === undefined) return;
      const rel = (attributes.rel ?? "").toLowerCase().split(/\s+/);
      const size = Number.parseInt(attributes.sizes ?? "", 10) || 0;
      page.links.push({ rel, href, size });
    },
    ontext(text) {
      if (inTitle && !ended && page.title.length < MAX_TEXT) page.title += text;
    },
    onclosetag(name) {
      if (name === "title") inTitle = false;
      if (name === "head") ended = true;
    },
  });
  for (let start = 0; start < html.length && !ended; start += CHUNK) {
    parser.write(html.slice(start, start + CHUNK));
  }
  if (viewers.test(html)) {
    // The script of Fastify is one folder below its page, and resolves URLs against that page.
    const named = Array.from(html.slice(0, MAX_VIEWER).matchAll(documentNames), ([, isBelow, href = ""]) =>
      absolute(isBelow ? `../${href}` : href),
    );
    page.documents = [...new Set(named.filter((href) => href !== undefined))];
  }
  page.title = page.title.trim().replace(/\s+/g, " ");
  return page;
}

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
