import type { Discovery, Finding } from "@app-registry/outbound/fill";
import { canonicalizeJson, dataHash, Interfaces } from "@app-registry/sdk";
import { arbitraryMetadata } from "@app-registry/test-kit/arbitraryMetadata";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyDraft, getChosenFinding, parseDraft } from "./draft.ts";
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

const foundUnder = (dids: string[], ...findings: Finding[]): DraftAction => {
  const offered = dids.map((did) => ({ did, why: "" }));
  const discovery: Discovery = { input: url, dids: offered, findings, looked: [] };
  return { type: "discovered", discovery, finding: findings[0] };
};
const found = (...findings: Finding[]): DraftAction => foundUnder([], ...findings);
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

  it("set the DID if only one is possible, and replace it with that of the next address", () => {
    const [one, other] = ["did:web:example.com", "did:web:other.example"];
    const take = foundUnder([one], server([echo]));
    expect(play(take).did).toBe(one);
    expect(play(take, foundUnder([other], website)).did).toBe(other);
    expect(play(foundUnder([one, other], website)).did).toBe("");
    const typed: DraftAction = { type: "field", field: "did", value: "did:web:mine.example" };
    expect(play(typed, take).did).toBe("did:web:mine.example");
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
          { type: "discovered", discovery, finding },
        );
        const kept = parseDraft(JSON.stringify(draft)) ?? emptyDraft();
        const { metadata: published } = toPublicationRequest(kept, { publicUrl: "https://registry.example" });
        expect(dataHash(published, algorithm)).toBe(dataHash(canonicalizeJson(text), algorithm));
      }),
    );
  });

  it("change nothing in the form until the user chooses one", () => {
    const discovery: Discovery = { input: url, dids: [], findings: [server([]), website], looked: [] };
    const typed = play(set("/name", "Mine"));
    const draft = draftReducer(typed, { type: "discovered", discovery, finding: undefined });
    expect(draft).toEqual({ ...typed, discovery });
    expect(getChosenFinding(draft)).toBeUndefined();
  });
});

/** Services of one host. Each text contains the service's own word. */
const services: Finding[] = (["mcp", "a2a", "openapi", "website"] as const).map((kind, index) => {
  const word = ["red", "green", "yellow", "blue"][index] as string;
  const place = { name: kind.toUpperCase(), endpoint: `https://example.com/${word}` };
  return {
    kind,
    url: `https://example.com/${word}`,
    interfaces: kind === "website" ? Interfaces.Human : Interfaces.Api,
    version: `${index + 1}.0.0`,
    offers: [],
    metadata: {
      name: word,
      [kind === "a2a" ? "image" : "supportUrl"]: `https://example.com/${word}`,
      traits: [word, "common"],
      ...(kind === "website"
        ? { platforms: { web: { launchUrl: place.endpoint } } }
        : { endpoints: [place] }),
    },
  };
});
const discovery: Discovery = { input: url, dids: [], findings: services, looked: [] };
const choose = (finding: Finding | undefined): DraftAction => ({ type: "discovered", discovery, finding });

describe("the findings of a host with several services", () => {
  it.each(services)("fill in only $metadata.name if another was filled in before", (finding) => {
    const alone = play(choose(finding));
    for (const former of services.filter((other) => other !== finding)) {
      const draft = play(choose(former), choose(finding));
      expect(draft).toEqual(alone);
      expect(JSON.stringify(draft.metadata)).not.toContain(former.metadata.name);
    }
    expect(getChosenFinding(alone)).toBe(finding);
  });

  it("fill in only the chosen one after a reading of another address without a choice", () => {
    const other = { ...discovery, findings: services.slice(1) };
    const draft = play(
      choose(services[0]),
      { type: "discovered", discovery: other, finding: undefined },
      { type: "discovered", discovery: other, finding: services[1] },
    );
    expect({ ...draft, discovery }).toEqual(play(choose(services[1])));
  });

  it("keep what the user typed, with its interface", () => {
    const web = set("/platforms/web/launchUrl", "https://mine.example.com/");
    const draft = play(
      choose(services[3]),
      set("/name", "Mine"),
      web,
      { type: "field", field: "version", value: "7.0.0" },
      choose(services[1]),
    );
    expect(draft.interfaces).toBe(Interfaces.Human | Interfaces.Api);
    expect(draft.version).toBe("7.0.0");
    expect(draft.metadata).toEqual({
      ...services[1]?.metadata,
      name: "Mine",
      description: "An A2A agent.",
      publisher: "example.com",
      platforms: { web: { launchUrl: "https://mine.example.com/" } },
    });
  });

  it("restore nothing of another service when an interface is switched on again", () => {
    const draft = play(
      choose(services[0]),
      { type: "interface", bit: Interfaces.Api, on: false },
      choose(services[3]),
      { type: "interface", bit: Interfaces.Api, on: true },
    );
    expect(JSON.stringify(draft.metadata)).not.toContain("red");
  });

  it("keep the endpoints of the published version that the draft follows", () => {
    const published = { endpoints: [{ name: "Other", endpoint: "https://example.com/other" }] };
    const follows = { ...emptyDraft(), metadata: published, read: published, interfaces: Interfaces.Api };
    const { metadata } = draftReducer(follows, choose(services[0]));
    expect(metadata.endpoints).toHaveLength(2);
  });
});
