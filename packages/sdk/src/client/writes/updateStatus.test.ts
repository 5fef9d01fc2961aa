import { registerApp, testRegistry } from "@app-registry/test-kit/testRegistry";
import { expect, it } from "vitest";

it("deprecates a record, and rejects the same status again with StatusUnchanged", async () => {
  const registry = await testRegistry();
  const { publisher, mined } = registry;
  const { did } = await registerApp(registry);
  await mined(publisher.updateStatus({ did, major: 1, status: 1 }));
  expect((await publisher.getAppSummary({ did, major: 1 })).status).toBe(1);
  await expect(publisher.updateStatus({ did, major: 1, status: 1 })).rejects.toMatchObject({
    errorName: "StatusUnchanged",
    shortMessage: "The record already has status Deprecated.",
  });
});
