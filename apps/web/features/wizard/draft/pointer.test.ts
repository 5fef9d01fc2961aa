import { describe, expect, it } from "vitest";
import { removeAt, setAt } from "./pointer.ts";

describe("setAt", () => {
  it("creates missing objects and lists", () => {
    expect(setAt({}, "/endpoints/0/transport/http/url", "u")).toEqual({
      endpoints: [{ transport: { http: { url: "u" } } }],
    });
  });

  it("leaves no hole in a list", () => {
    expect(setAt({ screenshotUrls: ["a"] }, "/screenshotUrls/5", "b")).toEqual({
      screenshotUrls: ["a", "b"],
    });
  });

  it("keeps all other values and does not modify its argument", () => {
    const document = { name: "a", x: { empty: {} } };
    expect(setAt(document, "/name", "b")).toEqual({ name: "b", x: { empty: {} } });
    expect(document.name).toBe("a");
  });
});

describe("removeAt", () => {
  it("removes only objects and lists that it empties", () => {
    const document = { platforms: { web: { launchUrl: "u" } }, tools: [{ inputSchema: { properties: {} } }] };
    expect(removeAt(document, "/platforms/web/launchUrl")).toEqual({
      tools: [{ inputSchema: { properties: {} } }],
    });
  });

  it("keeps a row of a list until the row itself is removed", () => {
    const document = { endpoints: [{ name: "MCP" }] };
    expect(removeAt(document, "/endpoints/0/name")).toEqual({ endpoints: [{}] });
    expect(removeAt(document, "/endpoints/0")).toEqual({});
  });

  it("returns the document unchanged if the value does not exist", () => {
    const document = { name: "a" };
    expect(removeAt(document, "/endpoints/3/name")).toBe(document);
  });
});
