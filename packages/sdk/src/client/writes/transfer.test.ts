import { registerApp, testRegistry } from "@app-registry/test-kit/testRegistry";
import { expect, it } from "vitest";

it("transfers a token from its holder, and rejects another sender", async () => {
  const registry = await testRegistry();
  const { publisher, mined, newAccount } = registry;
  const { did } = await registerApp(registry);
  const buyer = await newAccount();
  const tokenId = await publisher.tokenIdOf({ did, major: 1 });
  const sale = { from: publisher.account.address, to: buyer.account.address, tokenId };
  await expect(buyer.transfer(sale)).rejects.toMatchObject({ errorName: "ERC721InsufficientApproval" });
  await mined(publisher.transfer(sale));
  expect(await publisher.getAppSummary({ did, major: 1 })).toMatchObject({
    owner: buyer.account.address,
    minter: publisher.account.address,
  });
});
