import { registerApp, testRegistry } from "@app-registry/test-kit/testRegistry";
import { expect, it } from "vitest";
import { traitHash } from "../../traits.ts";

it("tells which traits a record carries", async () => {
  const registry = await testRegistry();
  const { did } = await registerApp(registry);
  const { hasAllTraits, hasAnyTraits } = registry.publisher;
  const traitHashes = [traitHash("api:rest"), traitHash("api:mcp")];
  expect(await hasAnyTraits({ did, major: 1, traitHashes })).toBe(true);
  expect(await hasAllTraits({ did, major: 1, traitHashes })).toBe(false);
  expect(await hasAllTraits({ did, major: 1, traitHashes: [traitHash("weather")] })).toBe(true);
});
