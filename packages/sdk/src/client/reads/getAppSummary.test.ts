import { registerApp, testRegistry } from "@app-registry/test-kit/testRegistry";
import { expect, it } from "vitest";

it("reads a record with its token, holder and latest version, now and at a past block", async () => {
  const registry = await testRegistry();
  const { chain, publisher } = registry;
  const minted = await registerApp(registry);
  const blockNumber = await chain.getBlockNumber({ cacheTime: 0 });
  const version = { major: 1, minor: 0, patch: 1 };
  await registry.mined(publisher.updateAppControlled({ ...minted, version, interfaces: 0 }));

  const summary = await publisher.getAppSummary({ did: minted.did, major: 1 });
  expect(summary).toMatchObject({
    tokenId: await publisher.tokenIdOf({ did: minted.did, major: 1 }),
    owner: publisher.account.address,
    latestVersion: version,
    traitHashes: minted.traitHashes,
  });
  const past = await publisher.getAppSummary({ did: minted.did, major: 1, blockNumber });
  expect(past.latestVersion.patch).toBe(0);
});
