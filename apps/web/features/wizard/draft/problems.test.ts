import { Interfaces, normalizeDid, parseVersion, type RegisteredDid } from "@app-registry/sdk";
import { describe, expect, it } from "vitest";
import { type Draft, emptyDraft } from "./draft.ts";
import { draftProblems } from "./problems.ts";
import { toPublication } from "./publication.ts";
import { draftReducer } from "./reducer.ts";

const publicUrl = "https://registry.example";

const complete: Draft = {
  ...emptyDraft(),
  did: "did:web:example.com",
  interfaces: Interfaces.Api,
  metadata: {
    name: "A",
    description: "B",
    publisher: "C",
    traits: ["api:rest"],
    endpoints: [{ name: "REST", endpoint: "https://api.example.com" }],
  },
};

const findProblems = (change: Partial<Draft>, registered?: RegisteredDid) =>
  draftProblems({ ...complete, ...change }, { registered, publicUrl });

const listFields = (change: Partial<Draft>, registered?: RegisteredDid) =>
  findProblems(change, registered).map(({ field, step }) => [field, step]);

/** Returns the DID's record at a version. The rules read no other field. */
const registered = (version: string, interfaces: number = Interfaces.Api) => {
  const record = { version: parseVersion(version), interfaces, versionOrder: "rising", published: [] };
  return {
    did: normalizeDid(complete.did),
    latestMajor: record.version.major,
    record,
  } as object as RegisteredDid;
};

describe("draftProblems", () => {
  it("returns nothing for a complete draft", () => {
    expect(findProblems({})).toEqual([]);
  });

  it("links to an invalid DID with the reason", () => {
    const [problem] = findProblems({ did: "example" });
    expect(problem).toMatchObject({ field: "did", step: "identity" });
    expect(problem?.message.length).toBeGreaterThan(10);
  });

  it("links to the API type and the endpoint of an API without them", () => {
    expect(listFields({ metadata: { name: "A", description: "B", publisher: "C" } })).toEqual([
      ["apiType", "start"],
      ["/endpoints", "api"],
    ]);
  });

  it("links to the DID of a contract without a did:pkh", () => {
    expect(listFields({ interfaces: Interfaces.Contract | Interfaces.Api })).toEqual([["did", "identity"]]);
  });

  it("reports the 21st trait", () => {
    const traits = ["api:rest", ...Array.from({ length: 20 }, (_, index) => `t${index}`)];
    expect(listFields({ metadata: { ...complete.metadata, traits } })).toEqual([["/traits", "discovery"]]);
  });

  it("reports the line and column of invalid JSON", () => {
    const draft = draftReducer(complete, {
      type: "text",
      pointer: "",
      text: '{\n  "a": 9007199254740993\n}',
    });
    const [problem] = draftProblems(draft, { publicUrl });
    expect(problem).toMatchObject({ field: "", step: "json" });
    expect(problem?.message).toContain("Line 2, column 8");
  });

  it("links to the JSON editor for problems without a form field", () => {
    expect(listFields({ metadata: { ...complete.metadata, platforms: 5 } })).toEqual([
      ["/platforms", "json"],
    ]);
  });

  it("links to the storage of a document that is too large for the chain", () => {
    const metadata = { ...complete.metadata, notes: "x".repeat(25_000) };
    expect(listFields({ metadata })).toEqual([["storage", "advanced"]]);
    expect(listFields({ metadata, storage: "url" })).toEqual([["dataUrl", "advanced"]]);
    // Its own data URL then has to be checked.
    expect(listFields({ metadata, storage: "url", dataUrl: "https://example.com/a.json" })).toEqual([
      ["dataUrl", "advanced"],
    ]);
  });
});

describe("the version", () => {
  it.each(["1.0", "1.0.256", "01.0.0", ""])("is rejected if it is %j", (version) => {
    expect(listFields({ version })).toEqual([["version", "identity"]]);
  });

  it("must be above the last published one", () => {
    const record = registered("1.2.0");
    expect(findProblems({ version: "1.2.0" }, record)[0]?.message).toContain("such as 1.2.1, 1.3.0, 2.0.0");
    expect(findProblems({ version: "1.2.1" }, record)).toEqual([]);
  });

  it("is not compared with another DID's versions", () => {
    const other = {
      ...registered("1.2.0"),
      did: normalizeDid("did:web:other.example"),
    };
    expect(findProblems({ version: "1.0.0" }, other)).toEqual([]);
  });
});

it("links to an interface that an update can't lose", () => {
  const both = registered("1.0.0", Interfaces.Api | Interfaces.Contract);
  expect(listFields({ version: "1.1.0" }, both)).toEqual([["interfaces", "start"]]);
});

describe("the check of a data URL", () => {
  const url = "https://example.com/service.json";
  const link = `${publicUrl}/api/data-url/did:web:example.com/v/1.0.0`;
  const getQuestion = (change: Partial<Draft>) =>
    toPublication({ ...complete, ...change }, { publicUrl }).question;

  /** Returns the problem at the data URL after the check of a draft was answered. */
  const problemAfter = (
    change: Partial<Draft>,
    dataUrlAnswer: { ok: true } | { ok: false; reason: string },
  ) => draftProblems({ ...complete, ...change }, { publicUrl, dataUrlAnswer })[0]?.message;

  it.each([
    ["the registry's own URL", {}],
    ["the registry's own URL, entered explicitly", { dataUrl: link }],
    ["a missing URL", { storage: "url" as const }],
    ["an invalid URL", { dataUrl: "example.com" }],
  ])("is not needed for %s", (_, change) => {
    expect(getQuestion(change)).toBeUndefined();
  });

  it.each([
    ["beside the JSON on the chain", { dataUrl: url }],
    ["as the only storage", { dataUrl: url, storage: "url" as const }],
    ["as the only storage, with sha256", { dataUrl: url, storage: "url" as const, algorithm: 1 as const }],
    [
      "as the only storage, at this registry without a copy on the chain",
      { dataUrl: link, storage: "url" as const },
    ],
  ])("requires a URL %s to serve the document before publishing", (_, change) => {
    const { dataHash } = toPublication({ ...complete, ...change }, { publicUrl });
    expect(getQuestion(change)).toMatchObject({ url: change.dataUrl, dataHash });
    expect(findProblems(change)).toEqual([expect.objectContaining({ field: "dataUrl", step: "advanced" })]);
    expect(problemAfter(change, { ok: false, reason: "There is nothing." })).toMatch(
      /^There is nothing\. Upload/,
    );
    expect(problemAfter(change, { ok: true })).toBeUndefined();
  });

  it("requires a new check after the document, the hash algorithm or the URL changes", () => {
    const own = { dataUrl: url, storage: "url" as const };
    const metadata = { ...complete.metadata, name: "Other" };
    for (const change of [{ metadata }, { algorithm: 1 as const }, { dataUrl: `${url}?2` }]) {
      expect(getQuestion({ ...own, ...change })).not.toEqual(getQuestion(own));
    }
  });

  it("rejects a URL that the registry can't read", () => {
    const [problem] = findProblems({ dataUrl: "ipfs://bafy/a.json" });
    expect(problem?.message).toContain("starts with https");
  });
});
