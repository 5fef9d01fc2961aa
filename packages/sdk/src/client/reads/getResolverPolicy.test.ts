import { expect, it } from "vitest";
import { maturation, testRegistry } from "../../../test/chain/testRegistry.ts";

it("reads the wait of a newcomer, the longest lifetime and the issuers", async () => {
  const { publisher, issuer } = await testRegistry();
  expect(await publisher.getResolverPolicy()).toEqual({ maturation, maxTtl: 365 * 24 * 3600 });
  expect(await publisher.getIssuers()).toEqual([issuer.account.address]);
});
