import { nearly, unlessRefused } from "@app-registry/test-kit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import vectors from "../test/vectors/caip.json" with { type: "json" };
import didVectors from "../test/vectors/did.json" with { type: "json" };
import { caip2Schema, caip10Schema, caip19Schema, getContractId } from "./caip.ts";
import { InvalidDidError, normalizeDid } from "./did.ts";

describe.each([
  ["CAIP-2", caip2Schema, vectors.caip2],
  ["CAIP-10", caip10Schema, vectors.caip10],
  ["CAIP-19", caip19Schema, vectors.caip19],
] as const)("%s", (_name, schema, { valid, invalid }) => {
  it.each(valid)("accepts %s", (text) => {
    expect(schema.safeParse(text).success).toBe(true);
  });

  it.each(invalid)("rejects %j", (text) => {
    expect(schema.safeParse(text).success).toBe(false);
  });
});

describe("getContractId", () => {
  it("returns the CAIP-10 account of a did:pkh, and undefined for a did:web", () => {
    const did = "did:pkh:eip155:66238:0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
    expect(getContractId(did)).toBe("eip155:66238:0xd8da6bf26964af9d7eed9e03e53415d37aa96045");
    expect(getContractId("did:web:example.com")).toBeUndefined();
  });

  it("returns a CAIP-10 account for every did:pkh, and throws only InvalidDidError", () => {
    const dids = fc.constantFrom(...didVectors.canonical, ...didVectors.refused.map(({ input }) => input));
    fc.assert(
      fc.property(nearly(dids, [":", "0", "x", "eip155"]), (did) => {
        const contractId = unlessRefused(() => getContractId(did), InvalidDidError);
        if (contractId === undefined) return;
        expect(caip10Schema.parse(contractId)).toBe(contractId);
        expect(`did:pkh:${contractId}`).toBe(normalizeDid(did));
      }),
    );
  });
});
