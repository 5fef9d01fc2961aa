import { newDid, registerApp, testRegistry } from "@app-registry/test-kit/testRegistry";
import { expect, it } from "vitest";

it("returns a token id, or 0n for a version that is not registered", async () => {
  const registry = await testRegistry();
  const { did } = await registerApp(registry);
  expect(await registry.publisher.tokenIdOf({ did, major: 1 })).toBe(await registry.publisher.totalSupply());
  expect(await registry.publisher.tokenIdOf({ did, major: 2 })).toBe(0n);
  expect(await registry.publisher.tokenIdOf({ did: newDid(), major: 1 })).toBe(0n);
});
