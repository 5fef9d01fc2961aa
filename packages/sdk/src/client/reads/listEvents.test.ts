import { registerApp, testRegistry } from "@app-registry/test-kit/testRegistry";
import { expect, it } from "vitest";
import { createLimitedRpc } from "../../../test/chain/limitedRpc.ts";
import { createAppRegistryClient } from "../createAppRegistryClient.ts";
import type { EventPage, RegistryEvent } from "./listEvents.ts";

it("lists the events since a block, in order, with typed arguments", async () => {
  const registry = await testRegistry();
  const { publisher, chain } = registry;
  const fromBlock = (await chain.getBlockNumber()) + 1n;
  const { did, dataHash } = await registerApp(registry);
  await registry.mined(publisher.updateStatus({ did, major: 1, status: 2 }));
  const events: RegistryEvent[] = [];
  for await (const event of publisher.listEvents({ fromBlock })) events.push(event);
  expect(events.map(({ eventName }) => eventName)).toEqual(
    expect.arrayContaining(["DIDAttested", "Transfer", "AppMinted", "MetadataSet", "StatusUpdated"]),
  );
  expect(events.at(-1)?.eventName).toBe("StatusUpdated");
  const minted = events.find((event) => event.eventName === "AppMinted");
  expect(minted?.args).toMatchObject({ did, dataHash });
  for await (const event of publisher.listEvents({ fromBlock: (events.at(-1)?.blockNumber ?? 0n) + 1n })) {
    throw new Error(`${event.eventName} happened before.`);
  }
});

it("reads many blocks in pages with their last block, also through an RPC with a lower limit", async () => {
  const registry = await testRegistry();
  const { chain, deployment } = registry;
  const fromBlock = await chain.getBlockNumber();
  await chain.mine({ blocks: 6_000 });
  const { did } = await registerApp(registry);
  const rpc = await createLimitedRpc(chain.transport.url ?? "", { maxLogBlocks: 1_000 });
  const client = createAppRegistryClient({ deployment, publicClient: rpc.client });
  const pages: EventPage[] = [];
  for await (const page of client.listEvents({ fromBlock }).pages()) pages.push(page);
  expect(pages.map(({ toBlock }) => toBlock)).toEqual([fromBlock + 4_999n, await chain.getBlockNumber()]);
  const minted = pages.flatMap(({ events }) => events).filter(({ eventName }) => eventName === "AppMinted");
  expect(minted).toMatchObject([{ args: { did } }]);
  expect(rpc.refused).toBeGreaterThan(0);
});
