import { challengePeriod, maturation, maxTtl, testRegistry } from "@app-registry/test-kit/testRegistry";
import { expect, it } from "vitest";

it("reads the longest lifetime, the time until an attestation matures and the time of a challenge", async () => {
  const { publisher } = await testRegistry();
  expect(await publisher.getResolverPolicy()).toEqual({ maxTtl, maturation, challengePeriod });
});
