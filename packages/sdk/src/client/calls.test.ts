import {
  createTestRegistry,
  mintParameters,
  newDid,
  registerApp,
  type TestRegistry,
  testRegistry,
} from "@app-registry/test-kit/testRegistry";
import { createWalletClient, custom, formatEther, http } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { beforeAll, describe, expect, inject, it } from "vitest";
import type { InsufficientFundsError } from "../errors/walletErrors.ts";
import { type Listing, readView } from "./calls.ts";
import { createAppRegistryClient } from "./createAppRegistryClient.ts";

describe("writes", () => {
  it("reject with NoAccountError without an account", async () => {
    const { deployment, chain } = await testRegistry();
    const client = createAppRegistryClient({ deployment, publicClient: chain });
    await expect(client.mint(mintParameters(newDid()))).rejects.toMatchObject({ name: "NoAccountError" });
  });

  it("name the chain to which the wallet must switch", async () => {
    const { deployment, chain, publisher } = await testRegistry();
    const client = createAppRegistryClient({
      deployment: { ...deployment, chainId: 66238 },
      publicClient: chain,
      walletClient: createWalletClient({ account: publisher.account, transport: http(inject("rpcUrl")) }),
    });
    await expect(client.mint(mintParameters(newDid()))).rejects.toMatchObject({
      name: "WrongChainError",
      expectedChainId: 66238,
      actualChainId: 31337,
      action: "Switch the wallet to chain 66238.",
    });
  });

  it("state the balance, the cost and the missing amount for insufficient funds", async () => {
    const { deployment, chain, attest } = await testRegistry();
    const account = privateKeyToAccount(generatePrivateKey());
    const parameters = mintParameters(newDid());
    await attest(parameters.did, account.address);
    await chain.setBalance({ address: account.address, value: 5n });
    const walletClient = createWalletClient({ account, transport: http(inject("rpcUrl")) });
    const client = createAppRegistryClient({ deployment, publicClient: chain, walletClient });
    const error = await client.mint(parameters).catch((thrown: InsufficientFundsError) => thrown);
    expect(error).toMatchObject({
      name: "InsufficientFundsError",
      funds: { account: account.address, balance: 5n, currency: { symbol: "ETH", decimals: 18 } },
      action: expect.stringMatching(/^Send at least 0\.0\d+ ETH to 0x/),
    });
    const { funds, shortMessage } = error as InsufficientFundsError;
    const needed = funds?.needed ?? 0n;
    expect(needed).toBeGreaterThan(10n ** 13n);
    const eth = (wei: bigint) => `${formatEther(wei)} ETH`;
    expect(shortMessage).toBe(
      `${account.address} has ${eth(5n)}, but this transaction may cost up to ${eth(needed)}. You need ${eth(needed - 5n)} more.`,
    );
  });

  it("reject with RequestRejectedError if the person declines in the wallet", async () => {
    const { deployment, chain, publisher, attest } = await testRegistry();
    const parameters = mintParameters(newDid());
    await attest(parameters.did, publisher.account.address);
    // A wallet that browsers inject, whose user rejects the request (EIP-1193 code 4001).
    const wallet = custom({
      async request({ method, params }) {
        if (method === "eth_sendTransaction")
          throw Object.assign(new Error("User rejected."), { code: 4001 });
        return chain.request({ method, params });
      },
    });
    const walletClient = createWalletClient({ account: publisher.account.address, transport: wallet });
    const client = createAppRegistryClient({ deployment, publicClient: chain, walletClient });
    await expect(client.mint(parameters)).rejects.toMatchObject({
      name: "RequestRejectedError",
      retryable: true,
    });
  });
});

describe("reads", () => {
  it("reject with ContractNotDeployedError if the chain has no such contract", async () => {
    const { deployment, chain } = await testRegistry();
    const address = "0x00000000000000000000000000000000000000AA" as const;
    const contracts = {
      ...deployment.contracts,
      AppRegistry: { ...deployment.contracts.AppRegistry, address },
    };
    const client = createAppRegistryClient({ deployment: { ...deployment, contracts }, publicClient: chain });
    await expect(client.totalSupply()).rejects.toMatchObject({
      name: "ContractNotDeployedError",
      retryable: false,
    });
  });
});

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
