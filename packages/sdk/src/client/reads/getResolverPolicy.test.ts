import { challengePeriod, maturation, testRegistry } from "@app-registry/test-kit/testRegistry";
import { expect, it } from "vitest";

it("reads the longest lifetime, the wait of a newcomer and the time of a challenge", async () => {
  const { publisher } = await testRegistry();
  expect(await publisher.getResolverPolicy()).toEqual({
    maxTtl: 365 * 24 * 3600,
    maturation,
    challengePeriod,
  });
});
