import type { Discovery, Finding } from "@app-registry/outbound/fill";
import { canonicalizeJson, dataHash, Interfaces } from "@app-registry/sdk";
import { arbitraryMetadata } from "@app-registry/test-kit/arbitraryMetadata";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyDraft, parseDraft } from "./draft.ts";
import { toPublicationRequest } from "./publication.ts";
import { type DraftAction, draftReducer } from "./reducer.ts";

const echo = { name: "echo", inputSchema: { type: "object" } };
const url = "https://example.com/mcp";

const server = (tools: object[], texts: object = {}): Finding => ({
  kind: "mcp",
  url,
  metadata: {
    name: "Everything",
    traits: ["api:mcp"],
    endpoints: [{ name: "MCP", endpoint: url, tools }],
    ...texts,
  } as Finding["metadata"],
  interfaces: Interfaces.Api,
  version: "2.0.0",
  offers: [],
});
const website: Finding = {
  kind: "website",
  url: "https://example.com/",
  metadata: { name: "Example", platforms: { web: { launchUrl: "https://example.com/" } } },
  interfaces: Interfaces.Human,
  offers: [],
};

const found = (...findings: Finding[]): DraftAction => {
  const discovery: Discovery = { input: url, dids: [], findings, looked: [] };
  return { type: "discovered", discovery, chosen: ["mcp"] };
};
const play = (...actions: DraftAction[]) => actions.reduce(draftReducer, emptyDraft());
const set = (pointer: string, value: string): DraftAction => ({ type: "set", pointer, value });
const listTools = (draft: ReturnType<typeof play>) =>
  (draft.metadata.endpoints as { tools: object[] }[])[0]?.tools;

describe("findings at an address", () => {
  it("fill in an empty form with its interfaces and version", () => {
    const draft = play(found(server([echo]), website));
    expect(draft.metadata).toMatchObject({ name: "Everything", traits: ["api:mcp"] });
    expect(draft).toMatchObject({ interfaces: Interfaces.Api, version: "2.0.0" });
  });

  it("preserve the user's input before and after a reading, and the chosen version", () => {
    const version: DraftAction = { type: "field", field: "version", value: "1.4.0" };
    const draft = play(
      set("/name", "Mine"),
      found(server([echo])),
      set("/publisher", "Example Ltd"),
      version,
      found(server([echo], { publisher: "Somebody", description: "Echoes." })),
    );
    expect(draft.metadata).toMatchObject({ name: "Mine", publisher: "Example Ltd", description: "Echoes." });
    expect(draft.version).toBe("1.4.0");
  });

  it("replace the values of an earlier reading unless the user changed them", () => {
    const more = [echo, { ...echo, name: "add" }];
    expect(listTools(play(found(server([echo])), found(server(more))))).toHaveLength(2);
    const typed = set("/endpoints/0/tools/0/name", "mine");
    expect(listTools(play(found(server([echo])), typed, found(server(more))))).toEqual([
      { ...echo, name: "mine" },
    ]);
  });

  it("preserve the dataHash of imported metadata that is published unchanged, including unknown fields", () => {
    fc.assert(
      fc.property(arbitraryMetadata, fc.constantFrom(0 as const, 1 as const), (metadata, algorithm) => {
        const text = JSON.stringify(metadata);
        const finding: Finding = {
          kind: "metadata",
          url,
          metadata: JSON.parse(text),
          interfaces: 2,
          offers: [],
        };
        const discovery: Discovery = { input: url, dids: [], findings: [finding], looked: [] };
        const draft = play(
          { type: "field", field: "algorithm", value: algorithm },
          { type: "discovered", discovery, chosen: ["metadata"] },
        );
        const kept = parseDraft(JSON.stringify(draft)) ?? emptyDraft();
        const { metadata: published } = toPublicationRequest(kept, { publicUrl: "https://registry.example" });
        expect(dataHash(published, algorithm)).toBe(dataHash(canonicalizeJson(text), algorithm));
      }),
    );
  });

  it("add another finding to the first", () => {
    const first = play(found(server([echo]), website));
    const { discovery } = first;
    if (discovery === null) throw new Error("Nothing was read.");
    const draft = draftReducer(first, { type: "discovered", discovery, chosen: ["mcp", "website"] });
    expect(draft.interfaces).toBe(Interfaces.Human | Interfaces.Api);
    expect(draft.metadata).toMatchObject({ name: "Everything", platforms: website.metadata.platforms });
  });
});
