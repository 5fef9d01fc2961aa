import { expect, it } from "vitest";
import { challengePeriod, maturation, testRegistry } from "../../../test/chain/testRegistry.ts";

it("reads the longest lifetime, the wait of a newcomer and the time of a challenge", async () => {
  const { publisher } = await testRegistry();
  expect(await publisher.getResolverPolicy()).toEqual({
    maxTtl: 365 * 24 * 3600,
    maturation,
    challengePeriod,
  });
});
