import { registerApp, testRegistry } from "@app-registry/test-kit/testRegistry";
import { expect, it } from "vitest";
import { traitHash } from "../../traits.ts";

it("hasAllTraits and hasAnyTraits match the traits of a record", async () => {
  const registry = await testRegistry();
  const { did } = await registerApp(registry);
  const { hasAllTraits, hasAnyTraits } = registry.publisher;
  const traitHashes = [traitHash("api:rest"), traitHash("api:mcp")];
  expect(await hasAnyTraits({ did, major: 1, traitHashes })).toBe(true);
  expect(await hasAllTraits({ did, major: 1, traitHashes })).toBe(false);
  expect(await hasAllTraits({ did, major: 1, traitHashes: [traitHash("weather")] })).toBe(true);
});
