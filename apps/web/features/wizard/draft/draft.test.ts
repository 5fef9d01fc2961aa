import { Interfaces } from "@app-registry/sdk";
import { describe, expect, it } from "vitest";
import { apiEndpoints, type Draft, emptyDraft, hasInput, isBegun, parseDraft } from "./draft.ts";
import { type DraftAction, draftReducer } from "./reducer.ts";
import { getStepOfField } from "./screens.ts";

const applied = (draft: Draft, ...actions: DraftAction[]) => actions.reduce(draftReducer, draft);

const rest = applied(
  emptyDraft(),
  { type: "apiType", trait: "api:rest" },
  { type: "set", pointer: "/endpoints/0/endpoint", value: "https://api.example.com" },
);

describe("hasInput", () => {
  it("returns false for an empty draft on any step, and true for any value", () => {
    expect(hasInput({ ...emptyDraft(), step: "about", visited: ["start"] })).toBe(false);
    expect(hasInput({ ...emptyDraft(), source: "e" })).toBe(true);
    expect(hasInput({ ...emptyDraft(), metadata: { name: "" } })).toBe(true);
    expect(hasInput({ ...emptyDraft(), texts: { "": "{" } })).toBe(true);
  });
});

describe("isBegun", () => {
  it("returns true once something was entered or a screen was left", () => {
    expect(isBegun(emptyDraft())).toBe(false);
    expect(isBegun({ ...emptyDraft(), source: "https://example.com" })).toBe(false);
    expect(isBegun(applied(emptyDraft(), { type: "field", field: "did", value: "d" }))).toBe(true);
    expect(isBegun(applied(emptyDraft(), { type: "step", step: "about" }))).toBe(true);
  });
});

describe("the version", () => {
  it("is the one that the changes ask for until the user chooses one", () => {
    const propose: DraftAction = { type: "proposeVersion", version: "2.0.0" };
    expect(applied(emptyDraft(), propose).version).toBe("2.0.0");
    const own = applied(emptyDraft(), { type: "field", field: "version", value: "1.0.1" }, propose);
    expect(own.version).toBe("1.0.1");
  });
});

describe("the draft of another tab", () => {
  const other = applied(rest, { type: "step", step: "about" });

  it("is taken over without its screen, unless this tab's screen no longer exists", () => {
    const draft = applied({ ...emptyDraft(), step: "identity" }, { type: "sync", draft: other });
    expect(draft).toEqual({ ...other, step: "identity" });
    const api: Draft = { ...rest, step: "api" };
    expect(applied(api, { type: "sync", draft: emptyDraft() }).step).toBe("start");
  });

  it("is the same draft if only the screen differs, so that two tabs don't answer each other", () => {
    const own: Draft = { ...other, step: "identity" };
    expect(applied(own, { type: "sync", draft: other })).toBe(own);
  });
});

describe("a draft's metadata", () => {
  // @threat documents: JSON that parsers disagree about, or that loses members
  it("keeps members without a form field, including empty values", () => {
    const metadata = {
      name: "A",
      custom: { deep: [{}] },
      description: "",
      tools: [{ inputSchema: { properties: {} } }],
    };
    const draft = applied({ ...emptyDraft(), metadata }, { type: "set", pointer: "/name", value: "B" });
    expect(draft.metadata).toEqual({ ...metadata, name: "B" });
  });
});

describe("the API type", () => {
  it("adds its trait and names the endpoint", () => {
    expect(rest.metadata).toEqual({
      traits: ["api:rest"],
      endpoints: [{ name: "REST", endpoint: "https://api.example.com" }],
    });
    expect(rest.interfaces).toBe(Interfaces.Api);
  });

  it("replaces the previous type and keeps other traits and custom names", () => {
    const named = applied(
      rest,
      { type: "set", pointer: "/traits", value: ["api:rest", "travel"] },
      { type: "set", pointer: "/endpoints/1", value: { name: "Backup" } },
      { type: "apiType", trait: "api:mcp" },
    );
    expect(named.metadata.traits).toEqual(["api:mcp", "travel"]);
    expect(named.metadata.endpoints).toEqual([
      { name: "MCP", endpoint: "https://api.example.com" },
      { name: "Backup" },
    ]);
  });
});

describe("an interface that is switched off and on again", () => {
  it("removes its parts from the record and restores them", () => {
    const before = applied(rest, { type: "set", pointer: "/name", value: "A" });
    const off = applied(before, { type: "interface", bit: Interfaces.Api, on: false });
    expect(off.metadata).toEqual({ name: "A" });
    const on = applied(off, { type: "interface", bit: Interfaces.Api, on: true });
    expect(on.metadata).toEqual(before.metadata);
  });

  it("leaves the contract's entry to the Contract interface", () => {
    const both = applied(
      rest,
      { type: "interface", bit: Interfaces.Contract, on: true },
      { type: "contractEndpoint", key: "endpoint", value: "https://rpc.example.com" },
      { type: "interface", bit: Interfaces.Api, on: false },
    );
    expect(both.metadata).toEqual({ endpoints: [{ name: "Contract", endpoint: "https://rpc.example.com" }] });
    const cleared = applied(both, { type: "contractEndpoint", key: "endpoint", value: "" });
    expect(cleared.metadata).toEqual({});
  });
});

describe("an endpoint named Contract", () => {
  const metadata = { endpoints: [{ name: "Contract", endpoint: "https://api.example.com" }] };
  const of = (did: string, interfaces: number) => ({ ...emptyDraft(), did, interfaces, metadata });

  it("is a normal endpoint under a did:web without a contract", () => {
    const draft = of("did:web:example.com", Interfaces.Api);
    expect(apiEndpoints(draft)).toEqual([{ index: 0, entry: metadata.endpoints[0] }]);
    expect(getStepOfField("/endpoints/0/endpoint", draft)).toBe("api");
    expect(applied(draft, { type: "interface", bit: Interfaces.Api, on: false }).metadata).toEqual({});
  });

  it.each([
    ["did:pkh:eip155:1:0xdac17f958d2ee523a2206206994597c13d831ec7", Interfaces.Api],
    ["did:web:example.com", Interfaces.Api | Interfaces.Contract],
    ["", Interfaces.Api],
  ])("is the contract's own under %s with interfaces %i", (did, interfaces) => {
    expect(apiEndpoints(of(did, interfaces))).toEqual([]);
  });
});

describe("a JSON editor", () => {
  const pointer = "/endpoints/0/tools";

  it("applies valid text and drops the text when the editor is left", () => {
    const typed = applied(rest, { type: "text", pointer, text: '[{"name":"a"}]' });
    expect(typed.metadata.endpoints).toMatchObject([{ tools: [{ name: "a" }] }]);
    expect(typed.texts).toHaveProperty([pointer]);
    expect(applied(typed, { type: "closeText", pointer }).texts).toEqual({});
  });

  it("keeps invalid text beside the last valid value", () => {
    const broken = applied(
      rest,
      { type: "text", pointer, text: "[]" },
      { type: "text", pointer, text: '[{"name":"a","name":"b"}]' },
      { type: "closeText", pointer },
    );
    expect(broken.texts[pointer]).toBe('[{"name":"a","name":"b"}]');
    expect(broken.metadata.endpoints).toMatchObject([{ tools: [] }]);
    expect(applied(broken, { type: "discardText", pointer }).texts).toEqual({});
  });

  it("moves with its row", () => {
    const draft = applied(
      rest,
      { type: "set", pointer: "/endpoints/1", value: { name: "Second" } },
      { type: "text", pointer: "/endpoints/1/tools", text: "[" },
      { type: "removeRow", pointer: "/endpoints", index: 0 },
    );
    expect(draft.texts).toEqual({ "/endpoints/0/tools": "[" });
  });

  it("accepts a whole document", () => {
    const draft = applied(rest, { type: "text", pointer: "", text: '{"name":"A","x":1}' });
    expect(draft.metadata).toEqual({ name: "A", x: 1 });
  });
});

describe("a stored draft", () => {
  it("is rejected if the text is not a draft", () => {
    expect(parseDraft("{")).toBeUndefined();
    expect(parseDraft('{"metadata":[]}')).toBeUndefined();
  });
});
