import { didHash, normalizeDid, resolverAbi } from "@app-registry/sdk";
import { testAccount, testClients } from "@app-registry/test-kit/deployContracts";
import { type DidHost, startDidHost } from "@app-registry/test-kit/didHost";
import { createPublicClient, http, type PublicClient } from "viem";
import { hardhat } from "viem/chains";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  chain,
  DAY,
  fixture,
  HOUR,
  useRevalidation,
  wallet,
} from "../../test/support/revalidationFixture.ts";
import { createMemoryRevalidationStore } from "./memoryRevalidationStore.ts";

const SECOND = 1_000;

let hosts: DidHost[];

useRevalidation({ starts: false });
beforeAll(async () => {
  hosts = await Promise.all(Array.from({ length: 20 }, startDidHost));
});
afterAll(async () => void (await Promise.all(hosts.map((host) => host.close()))));

/** Attests wallets for several new DIDs of each host, and returns a store with these DIDs. */
async function attestMany(perHost: number, ...of: DidHost[]) {
  const dids = of.flatMap((host) => Array.from({ length: perHost }, () => host.did(wallet)));
  const { walletClient, publicClient } = testClients(fixture.rpcUrl, testAccount(19));
  const { address } = chain.deployment.contracts.ResolverWithStore;
  for (let first = 0; first < dids.length; first += 100) {
    const entries = dids.slice(first, first + 100).map((did) => {
      return { didHash: didHash(did), controller: wallet, expiresAt: 0n };
    });
    const call = { address, abi: resolverAbi, functionName: "attestDIDBatch", args: [entries] } as const;
    await publicClient.waitForTransactionReceipt({ hash: await walletClient.writeContract(call) });
  }
  const store = createMemoryRevalidationStore();
  for (const did of dids) await store.saveDid(normalizeDid(did));
  return { dids, store };
}

const countAll = () => hosts.reduce((sum, host) => sum + host.requests().length, 0);
const firstHost = () => hosts[0] as DidHost;

describe("a host", () => {
  it("is requested at most once in ten seconds, even if many of its DIDs are due", async () => {
    const host = firstHost();
    const { store } = await attestMany(12, host);
    await chain.pass(40 * DAY);
    const { revalidation } = await chain.startProcess({ revalidation: { openStore: async () => store } });
    await revalidation.runDue();
    await chain.pass(2 * DAY);
    const before = host.requests().length;
    const askedAt: number[] = [];
    for (let second = 0; second < 150; second++) {
      const asked = before + askedAt.length;
      await revalidation.runDue();
      for (const _ of host.requests().slice(asked)) askedAt.push(second);
      await chain.pass(SECOND);
    }
    expect(askedAt).toHaveLength(12);
    const pauses = askedAt.slice(1).map((time, index) => time - (askedAt[index] ?? 0));
    expect(Math.min(...pauses)).toBe(10);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(11);
  });

  it("is paused for its Retry-After, for all of its DIDs", async () => {
    const host = firstHost();
    const { dids, store } = await attestMany(3, host);
    for (const did of dids) {
      const path = `/${did.split(":").at(-1)}/did.json`;
      host.put(path, "", { status: 503, headers: { "retry-after": String(5 * 3_600) } });
    }
    await chain.pass(40 * DAY);
    const { revalidation, passes } = await chain.startProcess({
      revalidation: { openStore: async () => store },
    });
    await revalidation.runDue();
    await chain.pass(2 * DAY);
    const before = host.requests().length;
    await revalidation.runDue();
    expect(host.requests().length - before).toBe(1);
    await passes(4.9 * HOUR, 0.35 * HOUR);
    expect(host.requests().length - before).toBe(1);
    await passes(HOUR, 0.25 * HOUR);
    expect(host.requests().length - before).toBe(2);
  });
});

describe("five hundred attestations", () => {
  it("are all checked within the period, spread over it", async () => {
    const { dids, store } = await attestMany(25, ...hosts);
    const before = countAll();
    const { passes, events } = await chain.startProcess({ revalidation: { openStore: async () => store } });
    await passes(24 * DAY, 4 * HOUR);
    const early = countAll() - before;
    await passes(6 * DAY, HOUR);
    const held = events.flatMap((event) =>
      "outcome" in event && event.outcome === "holds" ? event.did : [],
    );
    expect(new Set(held)).toEqual(new Set(dids));
    expect(countAll() - before).toBe(500);
    expect(early).toBeLessThan(250);
  });

  it("are not all checked at once by a process that starts with an empty store", async () => {
    const { store } = await attestMany(25, ...hosts);
    await chain.pass(100 * DAY);
    const before = countAll();
    const { passes, revalidation } = await chain.startProcess({
      revalidation: { openStore: async () => store },
    });
    await revalidation.runDue();
    expect(countAll()).toBe(before);
    await passes(HOUR, HOUR / 60);
    // The average is a twenty-fourth of them.
    expect(countAll() - before).toBeLessThan(60);
    await passes(25 * HOUR, HOUR / 4);
    expect(countAll() - before).toBe(500);
  });
});

describe("the chain", () => {
  it("gets five requests in a pass without news, and events of other issuers are not read", async () => {
    const other = testAccount(18);
    await chain.asOwner({ functionName: "addIssuer", args: [other.address] });
    const asked: string[] = [];
    const transport = http(fixture.rpcUrl, {
      onFetchRequest: (_, { body }) => void asked.push(JSON.parse(String(body)).method),
    });
    const publicClient = createPublicClient({ chain: hardhat, transport }) as PublicClient;
    const { attest, revalidation } = await chain.startProcess({ publicClient });
    await attest(firstHost().did(wallet), wallet);
    await revalidation.runDue();

    const hash = await chain.clientOf(18).attestDid({ did: firstHost().did(wallet), controller: wallet });
    await chain.byHand.waitForReceipt({ hash });
    asked.splice(0);
    await revalidation.runDue();
    // The chain ID is requested only once in half a minute.
    expect(asked.filter((method) => method !== "eth_chainId").sort()).toEqual([
      ...["eth_blockNumber", "eth_call", "eth_call", "eth_getLogs", "eth_getLogs"],
    ]);
    expect((await revalidation.count()).attestations).toBe(1);
  });
});
