import type { SearchResult } from "@app-registry/sdk";
import { describe, expect, it } from "vitest";
import type { RecentChanges, RecordEvent } from "../records/readLive.ts";
import { renderFeed } from "./changesFeed.ts";

const result: SearchResult = {
  did: "did:web:localhost%3A3000:maps",
  proven: { kind: "path", name: "localhost:3000/maps" },
  major: 1,
  version: "1.2.0",
  tokenId: "7",
  owner: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  minter: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  status: 1,
  interfaces: 2,
  dataUrl: "https://a.test/",
  dataHash: `0x${"ab".repeat(32)}`,
  dataHashAlgorithm: 0,
  traits: ["api:rest"],
  traitHashes: [],
  name: 'A & B <script>alert(1)</script> ]]> "\u202e\u0001',
  description: "]]><entry><title>Forged</title></entry>",
  publisher: "<b>Ltd</b>",
  updatedAt: 1_760_000_000,
  changedAt: 1_770_000_000,
};
const parameters = { publicUrl: "https://registry.example", query: "?traits=api:rest" };

const none: RecentChanges = { events: [], versions: [] };

/** Returns the texts of an element, or of one of its attributes, in each entry. */
const listTexts = (feed: string, element: string, attribute?: string) =>
  (feed.match(/<entry>.*?<\/entry>/gs) ?? []).map((entry) => {
    const [, attributes = "", text] =
      new RegExp(`<${element}([^>]*?)(?:/>|>([^<]*)<)`, "s").exec(entry) ?? [];
    return attribute === undefined ? text : new RegExp(`${attribute}="([^"]*)"`).exec(attributes)?.[1];
  });

describe("a feed of changes", () => {
  it("says in the title what the version changed, and that control was lost", () => {
    const changes: RecentChanges = {
      versions: [{ tokenId: "7", before: "1.1.0", summary: "tool sum\u202e added" }],
      events: [
        {
          ...{ tokenId: "7", did: result.did, version: "1.2.0", at: 1_780_000_000 },
          ...{ kind: "uncontrolled", detail: "Neither the holder nor the minter controls the DID." },
        },
      ],
    };
    const feed = renderFeed([{ ...result, name: "Maps", status: 0 }], changes, parameters);
    expect(listTexts(feed, "title")).toEqual([
      "localhost:3000/maps: is no longer controlled by its publisher",
      "localhost:3000/maps: Maps 1.2.0 after 1.1.0: tool sum\ufffd added",
    ]);
  });

  it("contains the version, its status, the time of the change and a link to its page", () => {
    const feed = renderFeed([{ ...result, name: "Maps" }], none, parameters);
    const page = "https://registry.example/apps/did:web:localhost%253A3000:maps/v/1.2.0";
    expect(listTexts(feed, "id")).toEqual([page]);
    expect(listTexts(feed, "link", "href")).toEqual([page]);
    expect(listTexts(feed, "title")).toEqual(["localhost:3000/maps: Maps 1.2.0 (deprecated)"]);
    expect(listTexts(feed, "published")).toEqual(["2025-10-09T08:53:20.000Z"]);
    expect(listTexts(feed, "updated")).toEqual(["2026-02-02T02:40:00.000Z"]);
    expect(feed).toContain('rel="self" href="https://registry.example/feed.atom?traits=api:rest"');
  });

  it("escapes a publisher's text so that it cannot leave its element", () => {
    const atom = renderFeed([result], none, parameters);
    expect(atom.match(/<entry>/g)).toHaveLength(1);
    for (const text of ["<script", "<b>", "]]>", "\u0001", "\u202e"]) expect(atom).not.toContain(text);
    expect(atom).toContain("<name>localhost:3000/maps</name>");
    expect(atom).toContain("A &amp; B &lt;script&gt;");
  });

  it("has no entries if nothing is found", () => {
    expect(renderFeed([], none, parameters)).toMatch(/^<\?xml .*<feed (?!.*<entry)/s);
  });

  // @threat documents: Markup or characters that break a page or a document
  it("contains live check changes in order of time, with ids that outlive a version", () => {
    const event: RecordEvent = {
      ...{ tokenId: "7", did: result.did, version: "1.2.0", at: 1_770_000_060 },
      kind: "changed",
      ...{ detail: "tool <b>add</b>\u202e changed" },
    };
    const earlier = { ...event, at: 1_700_000_000, kind: "stopped" } satisfies RecordEvent;
    const atom = renderFeed([result], { ...none, events: [event, earlier] }, parameters);
    const page = "https://registry.example/apps/did:web:localhost%253A3000:maps";
    const ids = listTexts(atom, "id");
    expect(ids.slice(0, 2)).toEqual([`${page}#live-7-1770000060-changed`, `${page}/v/1.2.0`]);
    expect(listTexts(atom, "link", "href")[0]).toBe(`${page}/v/1.2.0#live`);
    const titles = listTexts(atom, "title");
    expect(titles[0]).toBe("localhost:3000/maps: differs from the registered version");
    expect(titles[2]).toBe("localhost:3000/maps: stopped responding");
    expect(listTexts(atom, "updated")[0]).toBe("2026-02-02T02:41:00.000Z");
    const later = renderFeed([result], { ...none, events: [{ ...event, version: "1.3.0" }] }, parameters);
    expect(listTexts(later, "id")[0]).toBe(ids[0]);
    expect(atom).toContain("tool &lt;b&gt;add&lt;/b&gt;");
    expect(atom).not.toContain("\u202e");
  });
});
