import { describe, expect, it } from "vitest";
import { compareHref, readCompareQuery } from "./compareQuery.ts";

const dids = ["a", "b", "c", "d", "e"].map((name) => `did:web:${name}.example`);

describe("readCompareQuery", () => {
  it("reads two to four DIDs, in canonical form and each once", () => {
    expect(readCompareQuery(dids.slice(0, 4))).toEqual({ ok: true, dids: dids.slice(0, 4) });
    expect(readCompareQuery([" did:web:A.example", "did:web:a.example", "", dids[1] ?? ""])).toEqual({
      ok: true,
      dids: dids.slice(0, 2),
    });
  });

  it.each([
    [undefined, "You selected none. Select two to four services."],
    ["", "You selected none. Select two to four services."],
    [dids[0], "You selected one. Select two to four services."],
    [["did:web:A.example", "did:web:a.example"], "You selected one. Select two to four services."],
    [dids, "You selected more. Select two to four services."],
    [Array.from({ length: 1_000 }, (_, index) => `did:web:${index}.example`), "You selected more."],
    [["example", dids[0] ?? ""], "Invalid DID: A DID starts with did:web:"],
  ])("refuses %o in a sentence", (value, problem) => {
    expect(readCompareQuery(value)).toMatchObject({ ok: false, problem: expect.stringContaining(problem) });
  });

  it("reads the query that compareHref writes", () => {
    const port = "did:web:localhost%3A3000";
    const { searchParams } = new URL(compareHref([port, ...dids.slice(0, 1)]), "https://registry.example");
    expect(readCompareQuery(searchParams.getAll("did"))).toEqual({ ok: true, dids: [port, dids[0]] });
  });
});
