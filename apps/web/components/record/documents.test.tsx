import { readFileSync } from "node:fs";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { glossary, RawJson } from "./documents.tsx";

// @threat services: Links, markup, icons, invisible characters or check marks in a publisher's texts
it("shows the escapes of invisible characters in JSON", () => {
  const hidden = "x\u202ey\u2066\u{e0041}\u2800\u3164";
  const html = renderToStaticMarkup(<RawJson value={{ a: hidden }} label="Schema" />);
  expect(html).not.toMatch(/[\u202e\u2066\u2800\u3164\u{e0041}]/u);
  const [, text = ""] = /<pre[^>]*>(.*?)<\/pre>/s.exec(html) ?? [];
  expect(JSON.parse(text.replaceAll("&quot;", '"'))).toEqual({ a: hidden });
});

it("explains each term of the glossary under a heading of its own", () => {
  const concepts = readFileSync(new URL("../../../../docs/concepts.md", import.meta.url), "utf8");
  const headings = [...concepts.matchAll(/^### (.*)$/gm)].map(([, heading = ""]) =>
    heading.toLowerCase().replaceAll(" ", "-"),
  );
  expect(headings).toEqual(expect.arrayContaining(Object.values(glossary)));
});
