import { describe, expect, it } from "vitest";
import { reportHref } from "./reportHref.ts";

describe("reportHref", () => {
  const did = "did:web:example.com:a&subject=b";

  it.each([
    ["https://registry.example/report", "https://registry.example/report"],
    [
      "https://registry.example/report?of={did}",
      "https://registry.example/report?of=did%3Aweb%3Aexample.com%3Aa%26subject%3Db",
    ],
    [
      "mailto:abuse@registry.example",
      "mailto:abuse@registry.example?subject=Report%20of%20did%3Aweb%3Aexample.com%3Aa%26subject%3Db",
    ],
    [
      "mailto:abuse@registry.example?cc=x@registry.example",
      "mailto:abuse@registry.example?cc=x@registry.example&subject=Report%20of%20did%3Aweb%3Aexample.com%3Aa%26subject%3Db",
    ],
  ])("converts %s to %s, and the DID cannot add anything else", (url, href) => {
    expect(reportHref(url, did)).toBe(href);
  });
});
