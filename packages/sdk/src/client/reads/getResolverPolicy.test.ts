import { challengePeriod, maturation, maxTtl, testRegistry } from "@app-registry/test-kit/testRegistry";
import { expect, it } from "vitest";

it("reads the longest lifetime, the waiting period and the challenge period", async () => {
  const { publisher } = await testRegistry();
  expect(await publisher.getResolverPolicy()).toEqual({ maxTtl, maturation, challengePeriod });
});
