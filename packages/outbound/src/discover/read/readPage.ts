import { Parser } from "htmlparser2";

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

/** Reads the head of a web page. */
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
