import { nearly, nearlyJson } from "@app-registry/test-kit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { verifyAndAttestRequestSchema } from "./verifyAndAttestSchema.ts";

const address = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const request = {
  did: "DID:web:Example.com%3a443",
  connectedAddress: address,
  requiredSchemas: ["did-ownership", "data-hash"],
  major: 1,
};

describe("verifyAndAttestRequestSchema", () => {
  it("normalizes a request, and defaults to did-ownership", () => {
    expect(verifyAndAttestRequestSchema.parse({ did: request.did, connectedAddress: address })).toEqual({
      did: "did:web:example.com",
      connectedAddress: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
      requiredSchemas: ["did-ownership"],
    });
  });

  it.each([
    ["no schema", { requiredSchemas: [] }],
    ["a thousand schemas", { requiredSchemas: Array(1_000).fill("data-hash") }],
    ["a schema twice", { requiredSchemas: ["data-hash", "data-hash"] }],
    ["a schema of another name", { requiredSchemas: ["kyc"] }],
    ["a hash of the caller's", { dataHash: `0x${"11".repeat(32)}` }],
    ["a short address", { connectedAddress: "0x12" }],
    ["an invalid DID", { did: "example.com" }],
    ["a major beyond 255", { major: 256 }],
    // @threat services: A body or list that is empty, endless, trickles or breaks off
  ])("rejects a request with %s", (_, change) => {
    expect(verifyAndAttestRequestSchema.safeParse({ ...request, ...change }).success).toBe(false);
  });

  it("never throws for random input, and is idempotent", () => {
    const did = nearly(fc.constantFrom(request.did, `did:pkh:eip155:1:${address}`), ["%", ":", "é", "0"]);
    const values = fc.oneof(did, fc.constantFrom(address, "data-hash", 0, 255, [], {}), fc.jsonValue());
    fc.assert(
      fc.property(fc.oneof(nearlyJson(request, values), fc.anything()), (given) => {
        const parsed = verifyAndAttestRequestSchema.safeParse(given);
        if (parsed.success) expect(verifyAndAttestRequestSchema.parse(parsed.data)).toEqual(parsed.data);
      }),
    );
  });
});
