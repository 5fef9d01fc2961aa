import { registerApp, testRegistry } from "@app-registry/test-kit/testRegistry";
import { expect, it } from "vitest";

it("reads a record by its token id", async () => {
  const registry = await testRegistry();
  const { publisher } = registry;
  const { did } = await registerApp(registry);
  const tokenId = await publisher.tokenIdOf({ did, major: 1 });
  expect(await publisher.getAppByTokenId(tokenId)).toEqual(await publisher.getApp({ did, major: 1 }));
});

it("rejects an unknown token id with TokenNotFound", async () => {
  const { publisher } = await testRegistry();
  await expect(publisher.getAppByTokenId(999_999n)).rejects.toMatchObject({ errorName: "TokenNotFound" });
});
