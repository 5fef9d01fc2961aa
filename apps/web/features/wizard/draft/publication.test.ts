import { Interfaces } from "@app-registry/sdk";
import { describe, expect, it } from "vitest";
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

const getQuestion = (change: Partial<Draft>) =>
  toPublication({ ...draft, ...change }, { publicUrl }).question;

/** Returns the problem at the data URL after the check of a draft was answered. */
const problemAfter = (change: Partial<Draft>, dataUrlAnswer: { ok: true } | { ok: false; reason: string }) =>
  draftProblems({ ...draft, ...change }, { publicUrl, dataUrlAnswer })[0]?.message;

describe("the check of a data URL", () => {
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
    const metadata = { ...draft.metadata, name: "Other" };
    for (const change of [{ metadata }, { algorithm: 1 as const }, { dataUrl: `${url}?2` }]) {
      expect(getQuestion({ ...own, ...change })).not.toEqual(getQuestion(own));
    }
  });

  it("rejects a URL that the registry can't read", () => {
    const [problem] = draftProblems({ ...draft, dataUrl: "ipfs://bafy/a.json" }, { publicUrl });
    expect(problem?.message).toContain("starts with https");
  });
});
