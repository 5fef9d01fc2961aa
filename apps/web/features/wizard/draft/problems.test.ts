import { Interfaces, normalizeDid, type RegisteredDid, type Version } from "@app-registry/sdk";
import { describe, expect, it } from "vitest";
import { type Draft, emptyDraft } from "./draft.ts";
import { draftProblems } from "./problems.ts";
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

function registered(version: Version, interfaces: number = Interfaces.Api): RegisteredDid {
  const record = {
    tokenId: 1n,
    version,
    status: 0 as const,
    interfaces,
    dataUrl: "",
    dataHash: "0x" as const,
    algorithm: 0 as const,
  };
  return {
    did: normalizeDid(complete.did),
    latestMajor: version.major,
    record: {
      ...record,
      contractId: "",
      fungibleTokenId: "",
      hasTraits: true,
      versionOrder: "rising",
      published: [],
    },
  };
}

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
    const record = registered({ major: 1, minor: 2, patch: 0 });
    expect(findProblems({ version: "1.2.0" }, record)[0]?.message).toContain("such as 1.2.1, 1.3.0, 2.0.0");
    expect(findProblems({ version: "1.1.9" }, record)).toHaveLength(1);
    expect(findProblems({ version: "1.2.1" }, record)).toEqual([]);
  });

  it("must be at most the next major version", () => {
    const next = { ...registered({ major: 1, minor: 0, patch: 0 }), record: undefined };
    expect(findProblems({ version: "3.0.0" }, next)[0]?.message).toContain("2.0.0");
    expect(findProblems({ version: "2.4.0" }, next)).toEqual([]);
  });

  it("may be the next major version after x.255.255", () => {
    const [problem] = findProblems(
      { version: "1.255.255" },
      registered({ major: 1, minor: 255, patch: 255 }),
    );
    expect(problem?.message).toContain("such as 2.0.0");
  });

  it("is not compared with another DID's versions", () => {
    const other = {
      ...registered({ major: 1, minor: 2, patch: 0 }),
      did: normalizeDid("did:web:other.example"),
    };
    expect(findProblems({ version: "1.0.0" }, other)).toEqual([]);
  });
});

describe("the interfaces of a record that is updated", () => {
  it("can't lose one", () => {
    const both = registered({ major: 1, minor: 0, patch: 0 }, Interfaces.Api | Interfaces.Contract);
    expect(listFields({ version: "1.1.0" }, both)).toEqual([["interfaces", "start"]]);
  });

  it("gain one only with a higher minor version", () => {
    const human = registered({ major: 1, minor: 0, patch: 0 }, 0);
    expect(listFields({ version: "1.0.1" }, human)).toEqual([["interfaces", "start"]]);
    expect(listFields({ version: "1.1.0" }, human)).toEqual([]);
  });
});
