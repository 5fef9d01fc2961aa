import { create } from "xmlbuilder2";

/** Content of an XML document: `@name` is an attribute, `#` is text, a list repeats its element. */
type XmlContent = Parameters<typeof create>[1];

/** Renders XML. Drops characters that XML 1.0 forbids, which no escape can express. */
const render = (content: XmlContent, headless: boolean): string =>
  create({ version: "1.0", encoding: "utf-8", invalidCharReplacement: "" }, content).end({ headless });

/** Renders an XML document with its declaration. */
export const renderXml = (content: object): string => render(content, false);

/** Renders an SVG picture, which needs no declaration. */
export const renderSvg = (svg: object): string =>
  render({ svg: { "@xmlns": "http://www.w3.org/2000/svg", ...svg } }, true);

/** Entry of a feed. */
export interface FeedEntry {
  id: string;
  link: string;
  title: string;
  summary: string;
  published: Date;
  updated: Date;
  author?: string;
  categories?: readonly string[];
}

/** Renders a feed (Atom, RFC 4287) with plain texts. `self` is its own URL and its id. */
export const renderAtom = (
  { title, self, link }: { title: string; self: string; link: string },
  entries: readonly FeedEntry[],
): string =>
  renderXml({
    feed: {
      "@xmlns": "http://www.w3.org/2005/Atom",
      id: self,
      title,
      updated: (entries[0]?.updated ?? new Date(0)).toISOString(),
      generator: "App Registry",
      // Atom requires a fallback author for entries without one (RFC 4287, 4.1.1).
      author: { name: "App Registry" },
      link: [
        { "@rel": "alternate", "@href": link },
        { "@rel": "self", "@href": self },
      ],
      entry: entries.map(({ author, categories = [], ...entry }) => ({
        id: entry.id,
        title: entry.title,
        link: { "@href": entry.link },
        updated: entry.updated.toISOString(),
        published: entry.published.toISOString(),
        ...(author !== undefined && { author: { name: author } }),
        category: categories.map((term) => ({ "@term": term })),
        summary: entry.summary,
      })),
    },
  });
