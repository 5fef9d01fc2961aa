import { Interfaces } from "@app-registry/sdk";
import { describe, expect, it } from "vitest";
import { type DataUrlAnswer, dataUrlQuestion } from "./dataUrlCheck.ts";
import { type Draft, emptyDraft } from "./draft.ts";
import { draftProblems } from "./problems.ts";
import { toPublication } from "./publication.ts";

const publicUrl = "https://registry.example";
const url = "https://example.com/service.json";
const link = `${publicUrl}/api/data-url/did:web:example.com/v/1.0.0`;

const draft: Draft = {
  ...emptyDraft(),
  did: "did:web:example.com",
  interfaces: Interfaces.Api,
  metadata: {
    name: "A",
    description: "B",
    publisher: "C",
    traits: ["api:rest"],
    endpoints: [{ name: "REST", endpoint: "https://example.com/v1" }],
  },
};

const getQuestion = (change: Partial<Draft>) => {
  const changed = { ...draft, ...change };
  return dataUrlQuestion(changed, toPublication(changed, { publicUrl }), publicUrl);
};

/** Returns the problem at the data URL after the check of a draft was answered. */
function problemAfter(
  asked: Partial<Draft>,
  served: { ok: true } | { ok: false; reason: string },
  now = asked,
) {
  const question = getQuestion(asked);
  if (question === undefined) throw new Error("The draft asks nothing.");
  const dataUrlAnswer: DataUrlAnswer = { question, ...served };
  return draftProblems({ ...draft, ...now }, { publicUrl, dataUrlAnswer })[0]?.message;
}

describe("dataUrlQuestion", () => {
  it.each([
    ["the registry's own URL", {}],
    ["the registry's own URL, entered explicitly", { dataUrl: link }],
    ["a missing URL", { storage: "url" as const }],
    ["an invalid URL", { dataUrl: "example.com" }],
  ])("returns undefined for %s", (_, change) => {
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
    const { dataHash } = toPublication({ ...draft, ...change }, { publicUrl });
    expect(getQuestion(change)).toMatchObject({ url: change.dataUrl, dataHash });
    const open = draftProblems({ ...draft, ...change }, { publicUrl });
    expect(open).toEqual([expect.objectContaining({ field: "dataUrl", step: "advanced" })]);
    expect(problemAfter(change, { ok: false, reason: "There is nothing." })).toMatch(
      /^There is nothing\. Upload/,
    );
    expect(problemAfter(change, { ok: true })).toBeUndefined();
  });

  it("requires a new check after the document, the hash algorithm or the URL changes", () => {
    const own = { dataUrl: url, storage: "url" as const };
    const again = /^Upload this JSON/;
    const metadata = { ...draft.metadata, name: "Other" };
    expect(problemAfter(own, { ok: true }, { ...own, metadata })).toMatch(again);
    expect(problemAfter(own, { ok: true }, { ...own, algorithm: 1 })).toMatch(again);
    expect(problemAfter(own, { ok: true }, { ...own, dataUrl: `${url}?2` })).toMatch(again);
  });

  it("rejects a URL that the registry can't read", () => {
    const [problem] = draftProblems({ ...draft, dataUrl: "ipfs://bafy/a.json" }, { publicUrl });
    expect(problem?.message).toContain("starts with https");
  });
});
