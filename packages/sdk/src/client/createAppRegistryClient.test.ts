import { newDid, testRegistry } from "@app-registry/test-kit/testRegistry";
import { encodeFunctionData } from "viem";
import { describe, expect, it } from "vitest";

describe("createAppRegistryClient", () => {
  it("normalizes the DID before hashing it for a resolver call", async () => {
    const { publisher } = await testRegistry();
    const controller = publisher.account.address;
    const did = newDid();
    const call = publisher.prepareUnblockController({ did, controller });
    expect(encodeFunctionData(call)).toBe(
      encodeFunctionData(publisher.prepareUnblockController({ did: did.toUpperCase(), controller })),
    );
  });

  it("has functions that work without the client as receiver", async () => {
    const { totalSupply } = (await testRegistry()).publisher;
    expect(await totalSupply()).toBeTypeOf("bigint");
  });
});
