import { describe, expect, it } from "vitest";
import { emptyDraft } from "./draft.ts";
import { draftFileName, draftFileText, readDraftFile } from "./draftFile.ts";

const draft = {
  ...emptyDraft(),
  did: "did:web:example.com",
  interfaces: 3,
  metadata: { name: "Weather", unknown: { kept: [1] } },
  texts: { "/payments": "[" },
  step: "api" as const,
  visited: ["start" as const],
};

describe("a draft file", () => {
  it("is read back unchanged", () => {
    expect(readDraftFile(draftFileText(draft), emptyDraft())).toEqual({ draft });
  });

  it("has a name without characters that file systems reject", () => {
    expect(draftFileName({ ...draft, did: "did:web:localhost%3A80:a/b" })).toBe(
      "did-web-localhost-3A80-a-b-1.0.0.draft.json",
    );
    expect(draftFileName(emptyDraft())).toBe("service-1.0.0.draft.json");
  });

  it("may be a metadata document, which only replaces the draft's metadata", () => {
    const metadata = { name: "Tides", endpoints: [{ name: "REST" }] };
    const read = readDraftFile(JSON.stringify(metadata), { ...draft, interfaces: 0 });
    expect(read.draft).toMatchObject({ did: draft.did, metadata, interfaces: 2, texts: {} });
    expect(readDraftFile(JSON.stringify(metadata), draft).draft?.interfaces).toBe(3);
  });

  it.each([
    ["{ name: 1 }", /isn't valid JSON\. Line 1, column 3/],
    ["[1]", /doesn't contain a JSON object/],
    ['{"hello": 1}', /neither a draft nor a metadata document/],
    ['{"did": "did:web:example.com", "metadata": []}', /metadata must be an object/],
    ['{"did": "x", "metadata": {}, "step": "toString"}', /step isn't a step of this form/],
    ['{"did": "x", "metadata": {}, "interfaces": 8}', /interfaces/],
    ['{"did": "x", "metadata": {}, "visited": ["start", "nowhere"]}', /visited\.1 isn't a step of this form/],
    ['{"did": "x", "metadata": {}, "texts": {"/a": 1}}', /texts/],
  ])("is rejected with a reason if it contains %s", (text, reason) => {
    expect(readDraftFile(text, emptyDraft()).problem).toMatch(reason);
  });
});
