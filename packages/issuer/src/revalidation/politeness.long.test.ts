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
  openAttestations,
  useIssuer,
  wallet,
} from "../../test/support/issuerFixture.ts";

let hosts: DidHost[];

useIssuer({ starts: false });
beforeAll(async () => {
  hosts = await Promise.all(Array.from({ length: 20 }, startDidHost));
});
afterAll(async () => void (await Promise.all(hosts.map((host) => host.close()))));

/** Attests wallets for several new DIDs of each host, whose issuer knows the DIDs. */
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
  const store = await openAttestations();
  for (const did of dids) await store.saveDid(normalizeDid(did));
  return dids;
}

const countAll = () => hosts.reduce((sum, host) => sum + host.requests().length, 0);
const firstHost = () => hosts[0] as DidHost;

describe("two hundred attestations", () => {
  it("are all checked within the period, spread over it", async () => {
    const dids = await attestMany(10, ...hosts);
    const before = countAll();
    const { passes, events } = await chain.startProcess();
    await passes(24 * DAY, 8 * HOUR);
    const early = countAll() - before;
    await passes(6 * DAY, 2 * HOUR);
    const held = events.flatMap((event) =>
      "outcome" in event && event.outcome === "holds" ? event.did : [],
    );
    expect(new Set(held)).toEqual(new Set(dids));
    expect(countAll() - before).toBe(200);
    expect(early).toBeLessThan(100);
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
