import { Parser } from "htmlparser2";

/** Content of a web page's head, with absolute URLs. */
export type Page = {
  title: string;
  /** First content of each `meta` element by its `name` or `property`, in lower case. */
  meta: Map<string, string>;
  links: { rel: string[]; href: string; type: string; size: number }[];
};

/** Elements allowed in a head. Any other element ends it (HTML standard). */
const headElements = new Set([
  "html",
  "head",
  "title",
  "meta",
  "link",
  "base",
  "script",
  "style",
  "noscript",
  "template",
]);

/** Maximum number of elements to read, and characters to parse between two checks of it. */
const MAX_ELEMENTS = 1_000;
const CHUNK = 8_192;

/** Maximum length of one text of a page, in characters. The limits of the metadata fields are lower. */
const MAX_TEXT = 20_000;

/** Reads the head of a web page. */
export function readPage(html: string, pageUrl: string): Page {
  const page: Page = { title: "", meta: new Map(), links: [] };
  let base = pageUrl;
  let elements = 0;
  let ended = false;
  let inTitle = false;
  const absolute = (href: string | undefined) =>
    href !== undefined && URL.canParse(href.trim(), base) ? new URL(href.trim(), base).href : undefined;
  const parser = new Parser({
    onopentag(name, attributes) {
      ended ||= !headElements.has(name) || ++elements > MAX_ELEMENTS;
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
      page.links.push({ rel, href, type: attributes.type ?? "", size });
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
  page.title = page.title.trim().replace(/\s+/g, " ");
  return page;
}
