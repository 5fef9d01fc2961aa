import { describe, expect, it } from "vitest";
import vectors from "../test/vectors/caip.json" with { type: "json" };
import { caip2Schema, caip10Schema, caip19Schema, contractIdOf } from "./caip.ts";

describe.each([
  ["CAIP-2", caip2Schema, vectors.caip2],
  ["CAIP-10", caip10Schema, vectors.caip10],
  ["CAIP-19", caip19Schema, vectors.caip19],
] as const)("%s", (_name, schema, { valid, invalid }) => {
  it.each(valid)("takes %s", (text) => {
    expect(schema.safeParse(text).success).toBe(true);
  });

  it.each(invalid)("refuses %j", (text) => {
    expect(schema.safeParse(text).success).toBe(false);
  });
});

describe("contractIdOf", () => {
  it("is the CAIP-10 account of a did:pkh, and nothing for a did:web", () => {
    const did = "did:pkh:eip155:66238:0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
    expect(contractIdOf(did)).toBe("eip155:66238:0xd8da6bf26964af9d7eed9e03e53415d37aa96045");
    expect(contractIdOf("did:web:example.com")).toBeUndefined();
  });
});
