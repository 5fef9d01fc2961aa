import { deadOrigin } from "@app-registry/test-kit/httpServer";
import { registerApp, testRegistry } from "@app-registry/test-kit/testRegistry";
import { createPublicClient, custom, fallback, http, type Transport, webSocket } from "viem";
import { expect, inject, it } from "vitest";
import { createAppRegistryClient } from "./createAppRegistryClient.ts";

const transports: [name: string, create: (rpcUrl: string) => Transport][] = [
  ["http", (rpcUrl) => http(rpcUrl)],
  ["batched http", (rpcUrl) => http(rpcUrl, { batch: true })],
  ["webSocket", (rpcUrl) => webSocket(rpcUrl.replace("http", "ws"))],
  ["fallback", (rpcUrl) => fallback([http(deadOrigin, { retryCount: 0 }), http(rpcUrl)])],
  ["custom", (rpcUrl) => custom({ request: createPublicClient({ transport: http(rpcUrl) }).request })],
];

it.each(transports)("reads records, listings and events over %s", async (_, create) => {
  const registry = await testRegistry();
  const { did, version } = await registerApp(registry);
  const publicClient = createPublicClient({ transport: create(inject("rpcUrl")) });
  const client = createAppRegistryClient({ deployment: registry.deployment, publicClient });
  expect((await client.getApp({ did, major: 1 })).did).toBe(did);
  expect((await client.getVersionRecord({ did, version })).current).toBe(true);
  const owned: string[] = [];
  for await (const app of client.listByOwner({ owner: registry.publisher.account.address }))
    owned.push(app.did);
  expect(owned).toContain(did);
  await expect(client.getApp({ did, major: 7 })).rejects.toMatchObject({ errorName: "AppNotFound" });
});
