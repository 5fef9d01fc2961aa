import { createTestRegistry, registerApp, type TestRegistry } from "@app-registry/test-kit/testRegistry";
import { beforeAll, describe, expect, it } from "vitest";
import { readView } from "./calls.ts";
import type { Listing } from "./listing.ts";

async function collect<Item>(listing: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of listing) items.push(item);
  return items;
}

describe("listings", () => {
  let registry: TestRegistry;
  const dids: string[] = [];

  beforeAll(async () => {
    registry = await createTestRegistry();
    for (const interfaces of [2, 1, 3, 2, 1]) dids.push((await registerApp(registry, { interfaces })).did);
    await registry.mined(registry.publisher.updateStatus({ did: dids[1] ?? "", major: 1, status: 1 }));
  });

  const listDids = async (listing: Listing<{ did: string }>) =>
    (await collect(listing)).map(({ did }) => did);
  const at = (...indices: number[]) => indices.map((index) => dids[index]);

  it("list records by status, in order of token id, across pages", async () => {
    const { publisher } = registry;
    const active = publisher.listByStatus({ status: 0, limit: 2 });
    expect(await listDids(active)).toEqual(at(0, 2, 3, 4));
    expect(await listDids(publisher.listByStatus({ status: 1 }))).toEqual(at(1));
    const pages = await collect(active.pages());
    expect(pages.every(({ items }) => items.length <= 2)).toBe(true);
    expect(pages.at(-1)?.nextCursor).toBeNull();
  });

  it("continue from the cursor of an earlier page", async () => {
    const { publisher } = registry;
    const [first] = await collect(publisher.listByStatus({ status: 0, limit: 2 }).pages());
    const cursor = first?.nextCursor ?? undefined;
    expect(await listDids(publisher.listByStatus({ status: 0, cursor }))).toEqual(at(3, 4));
  });

  it("list records by holder, in any status", async () => {
    const { publisher, issuer } = registry;
    expect(await listDids(publisher.listByOwner({ owner: publisher.account.address }))).toEqual(dids);
    expect(await listDids(publisher.listByOwner({ owner: issuer.account.address }))).toEqual([]);
  });

  it("list Active records by interface, with all bits or any", async () => {
    const { publisher } = registry;
    expect(await listDids(publisher.listByInterface({ interfaces: 3 }))).toEqual(at(2));
    expect(await listDids(publisher.listByInterface({ interfaces: 3, matchAll: false }))).toEqual(
      at(0, 2, 3, 4),
    );
  });

  it("agree with totalSupply and countByStatus", async () => {
    const { publisher } = registry;
    expect(await publisher.totalSupply()).toBe(5n);
    expect(await publisher.countByStatus({ status: 0 })).toBe(4n);
    expect(await publisher.countByStatus({ status: 1 })).toBe(1n);
  });

  it("reject a limit out of bounds, as the contract does", async () => {
    const { publisher, deployment, chain } = registry;
    expect(() => publisher.listByStatus({ status: 0, limit: 101 })).toThrow("limit: expected");
    const read = readView({ deployment, publicClient: chain }, "AppRegistry", "getAppsByStatus", [
      0,
      0n,
      101n,
    ]);
    await expect(read).rejects.toMatchObject({ errorName: "InvalidLimit" });
  });
});
