import { newDid, testRegistry } from "@app-registry/test-kit/testRegistry";
import { encodeFunctionData } from "viem";
import { describe, expect, it } from "vitest";
import * as writes from "./writes.ts";

describe("createAppRegistryClient", () => {
  it.each(Object.keys(writes))("has %s and a prepare function for its call", async (name) => {
    const { publisher } = await testRegistry();
    expect(publisher).toHaveProperty(name, expect.any(Function));
    expect(publisher).toHaveProperty(
      `prepare${name[0]?.toUpperCase()}${name.slice(1)}`,
      expect.any(Function),
    );
  });

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
