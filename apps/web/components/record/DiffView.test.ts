import { canonicalizeValue } from "@app-registry/sdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { documentChanges } from "./DiffView.tsx";

const tool = (name: string, description = "") => ({ name, description, inputSchema: {} });
const withTools = (...tools: unknown[]) => ({ name: "Weather", endpoints: [{ name: "MCP", tools }] });

describe("documentChanges", () => {
  it("returns additions, changes and removals with their pointers and values", () => {
    const before = { name: "Weather", image: "https://a.test/i.png", platforms: { web: {} } };
    const after = { name: "Wind", platforms: { web: {}, "i~os/": { downloadUrl: "https://a.test" } } };
    expect(documentChanges(before, after)).toEqual([
      { kind: "changed", pointer: "/name", path: ["name"], before: "Weather", after: "Wind" },
      { kind: "removed", pointer: "/image", path: ["image"], before: "https://a.test/i.png" },
      {
        kind: "added",
        pointer: "/platforms/i~0os~1",
        path: ["platforms", "i~os/"],
        after: { downloadUrl: "https://a.test" },
      },
    ]);
  });

  it("matches entries of a list by name", () => {
    const changes = documentChanges(
      withTools(tool("old"), tool("get", "Reads"), tool("same")),
      withTools(tool("new"), tool("get", "Reads one"), tool("same")),
    );
    expect(changes.map(({ kind, pointer, path }) => [kind, pointer, path.join(" ")])).toEqual([
      ["removed", "/endpoints/0/tools/0", "endpoints MCP tools old"],
      ["added", "/endpoints/0/tools/0", "endpoints MCP tools new"],
      ["changed", "/endpoints/0/tools/1/description", "endpoints MCP tools get description"],
    ]);
  });

  it("reports an entry at another index as moved, because order changes the hash", () => {
    const changes = documentChanges(
      withTools(tool("a"), tool("b"), tool("c")),
      withTools(tool("c"), tool("a"), tool("b")),
    );
    expect(changes).toEqual([
      { kind: "moved", pointer: "/endpoints/0/tools/0", path: ["endpoints", "MCP", "tools", "c"] },
    ]);
  });

  it("uses the position, from 1, in the path of an entry without a name", () => {
    expect(documentChanges({ traits: ["a"] }, { traits: ["a", "b"] })).toEqual([
      { kind: "added", pointer: "/traits/1", path: ["traits", "2"], after: "b" },
    ]);
  });

  it.each(["valueOf", "constructor", "__proto__", "_t"])("finds a change of the property %s", (key) => {
    const document = JSON.parse(`{ "${key}": "a" }`);
    expect(documentChanges(document, {})).toMatchObject([
      { kind: "removed", pointer: `/${key}`, before: "a" },
    ]);
    expect(documentChanges({}, document)).toMatchObject([{ kind: "added", pointer: `/${key}`, after: "a" }]);
  });

  it("finds no change if and only if the canonical forms are equal", () => {
    const json = fc.jsonValue({ maxDepth: 4, noUnicodeString: false });
    fc.assert(
      fc.property(json, json, (before, after) => {
        expect(documentChanges(before, structuredClone(before))).toEqual([]);
        const equal = canonicalizeValue(before) === canonicalizeValue(after);
        expect(documentChanges(before, after).length === 0).toBe(equal);
      }),
    );
  });
});
