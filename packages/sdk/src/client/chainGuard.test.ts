import { startFaultyRpc } from "@app-registry/test-kit/faultyRpc";
import { mintParameters, newDid } from "@app-registry/test-kit/testRegistry";
import { type Twins, twinRegistries } from "@app-registry/test-kit/twinRegistry";
import {
  createPublicClient,
  createWalletClient,
  custom,
  fallback,
  type Hex,
  http,
  type LocalAccount,
  parseTransaction,
} from "viem";
import { beforeAll, describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { listArguments, validArguments } from "../../test/methodArguments.ts";
import { verifyApp } from "../verify/verifyApp.ts";
import { type AppRegistryClient, createAppRegistryClient } from "./createAppRegistryClient.ts";
import * as reads from "./reads.ts";

let twins: Twins;
beforeAll(async () => {
  twins = await twinRegistries();
});

const wrongChain = {
  name: "WrongChainError",
  expectedChainId: 31337,
  actualChainId: 31338,
  shortMessage: "The RPC endpoint serves chain 31338; the registry is on chain 31337.",
  action: "Use an RPC endpoint for chain 31337, or a deployment on chain 31338.",
  retryable: false,
};

/** Returns a client of this chain's deployment that reads through the RPC of the other chain. */
const misled = (rpcUrl = inject("otherRpcUrl")) =>
  createAppRegistryClient({
    deployment: twins.here.deployment,
    publicClient: createPublicClient({ transport: http(rpcUrl) }),
  });

/** Starts a proxy of an RPC that records the requested methods. */
async function countingRpc(upstream: string) {
  const rpc = await startFaultyRpc(upstream);
  onTestFinished(() => rpc.close());
  const methods: string[] = [];
  rpc.break(({ method }) => {
    methods.push(method);
    return "pass";
  });
  return { ...rpc, methods };
}

const dataHash: Hex = `0x${"11".repeat(32)}`;

/** Calls a read with valid arguments, and iterates a listing until its first element. */
async function callRead(client: AppRegistryClient, name: string): Promise<unknown> {
  const { names, single } = listArguments(name);
  const required = names.filter((argument) => !argument.endsWith("?"));
  const values = { ...validArguments, did: twins.did };
  const given = Object.fromEntries(required.map((argument) => [argument, values[argument as "did"]]));
  const read = client[name as "getApp"] as (...given: unknown[]) => Promise<unknown>;
  const answer = await read(...(single === undefined ? [given] : [given[single]]));
  const listing = answer as Partial<AsyncIterable<unknown>> | undefined;
  return listing?.[Symbol.asyncIterator]?.().next();
}

describe("client whose RPC serves another chain with the same contracts at the same addresses", () => {
  // @threat services: A lying RPC endpoint, or one of another chain
  it("rejects with WrongChainError, although all facts pass on the other chain", async () => {
    const { there, did } = twins;
    const { facts } = await verifyApp({ client: there.publisher, did, siteOf: () => "example.com" });
    expect(Object.values(facts).map(({ outcome }) => outcome)).toEqual(Array(5).fill("pass"));
    await expect(verifyApp({ client: misled(), did })).rejects.toMatchObject(wrongChain);
  });

  // @threat services: A lying RPC endpoint, or one of another chain
  it.each(Object.keys(reads))("rejects %s with WrongChainError", async (name) => {
    await expect(callRead(misled(), name)).rejects.toMatchObject(wrongChain);
  });

  // @threat services: A lying RPC endpoint, or one of another chain
  it("sends no transaction, although its wallet is on the right chain", async () => {
    const { here, there } = twins;
    const { account } = await here.newAccount();
    const parameters = mintParameters(newDid());
    for (const registry of [here, there]) await registry.attest(parameters.did, account.address);
    const client = createAppRegistryClient({
      deployment: here.deployment,
      publicClient: createPublicClient({ transport: http(inject("otherRpcUrl")) }),
      walletClient: createWalletClient({
        account: account as LocalAccount,
        transport: http(inject("rpcUrl")),
      }),
    });
    await expect(client.mint(parameters)).rejects.toMatchObject(wrongChain);
    expect(await here.chain.getTransactionCount({ address: account.address })).toBe(0);
  });

  // @threat services: A lying RPC endpoint, or one of another chain
  it("rejects a read after its wallet changed the chain", async () => {
    let chain = twins.here.chain as { request: (call: never) => Promise<unknown> };
    const client = createAppRegistryClient({
      deployment: twins.here.deployment,
      publicClient: createPublicClient({
        transport: custom({ request: (call) => chain.request(call as never) }),
      }),
    });
    expect(await client.tokenIdOf({ did: twins.did, major: 1 })).toBe(0n);
    chain = twins.there.chain;
    await expect(client.tokenIdOf({ did: twins.did, major: 1 })).rejects.toMatchObject(wrongChain);
  });
});

describe("client with an RPC of the right chain", () => {
  it("rejects a read if only a fallback of another chain responds", async () => {
    const rpc = await startFaultyRpc(inject("rpcUrl"));
    onTestFinished(() => rpc.close());
    const transport = fallback([http(rpc.url), http(inject("otherRpcUrl"))], { retryCount: 0 });
    const client = createAppRegistryClient({
      deployment: twins.here.deployment,
      publicClient: createPublicClient({ transport }),
    });
    const read = () => client.tokenIdOf({ did: twins.did, major: 1 });
    expect(await read()).toBe(0n);
    rpc.break(() => "drop");
    await expect(read()).rejects.toMatchObject(wrongChain);
    rpc.heal();
    expect(await read()).toBe(0n);
  });

  it("skips a first fallback that serves another chain", async () => {
    const transport = fallback([http(inject("otherRpcUrl")), http(inject("rpcUrl"))]);
    const client = createAppRegistryClient({
      deployment: twins.here.deployment,
      publicClient: createPublicClient({ transport }),
    });
    expect(await client.tokenIdOf({ did: twins.did, major: 1 })).toBe(0n);
  });

  it("rejects reads 30 seconds after its URL began to serve another chain", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    let upstream = inject("rpcUrl");
    const publicClient = createPublicClient({
      transport: http("http://rpc.example", {
        fetchFn: (_, init) => fetch(upstream, init),
      }),
    });
    const client = createAppRegistryClient({ deployment: twins.here.deployment, publicClient });
    const read = () => client.tokenIdOf({ did: twins.did, major: 1 });
    expect(await read()).toBe(0n);
    upstream = inject("otherRpcUrl");
    vi.setSystemTime(Date.now() + 30_000);
    await expect(read()).rejects.toMatchObject(wrongChain);
  });
});

describe("write with a wallet that changes its chain after the check", () => {
  /**
   * Returns a client whose wallet moves to the other chain after its first response, and the transactions sent through
   * it.
   */
  async function restless(kind: "key" | "provider") {
    const { here, there } = twins;
    const { account } = await here.newAccount();
    const parameters = mintParameters(newDid());
    for (const registry of [here, there]) await registry.attest(parameters.did, account.address);
    let chain = here.chain as { request: (call: never) => Promise<unknown> };
    const sent: unknown[] = [];
    const request = async (call: { method: string; params?: unknown[] }) => {
      if (call.method.startsWith("eth_send")) return sent.push(call.params?.[0]) && dataHash;
      const answer = await chain.request(call as never);
      chain = there.chain;
      return answer;
    };
    const client = createAppRegistryClient({
      deployment: here.deployment,
      publicClient: createPublicClient({ transport: http(inject("rpcUrl")) }),
      walletClient: createWalletClient({
        account: kind === "key" ? (account as LocalAccount) : account.address,
        transport: custom({ request }, { retryCount: 0 }),
      }),
    });
    return { sent, mint: () => client.mint(parameters) };
  }

  it("sends no transaction through a wallet provider", async () => {
    const { sent, mint } = await restless("provider");
    await expect(mint()).rejects.toMatchObject({
      name: "WrongChainError",
      expectedChainId: 31337,
      actualChainId: 31338,
      action: "Switch the wallet to chain 31337.",
    });
    expect(sent).toEqual([]);
  });

  it("signs a transaction of a local key for the registry's chain only", async () => {
    const { sent, mint } = await restless("key");
    await mint();
    expect(sent.map((raw) => parseTransaction(raw as Hex).chainId)).toEqual([31337]);
  });
});

describe("chain id check", () => {
  it("requests the chain id once per client for concurrent and later reads", async () => {
    const rpc = await countingRpc(inject("rpcUrl"));
    const client = misled(rpc.url);
    const reads = () =>
      Promise.all([client.totalSupply(), client.getIssuers(), client.countByStatus({ status: 0 })]);
    await reads();
    await reads();
    expect(rpc.methods.filter((method) => method === "eth_chainId")).toHaveLength(1);
    expect(rpc.methods).toHaveLength(7);
  });

  it("sends the first read without waiting for the chain id", async () => {
    const asked: string[] = [];
    let answerChainId = () => {};
    const chainIdAnswered = new Promise<void>((resolve) => {
      answerChainId = resolve;
    });
    const { chain } = twins.here;
    const client = createAppRegistryClient({
      deployment: twins.here.deployment,
      publicClient: createPublicClient({
        transport: custom({
          async request(call) {
            asked.push(call.method);
            if (call.method === "eth_chainId") await chainIdAnswered;
            return chain.request(call);
          },
        }),
      }),
    });
    let answered = false;
    const read = client.totalSupply().then(() => {
      answered = true;
    });
    await expect.poll(() => asked.toSorted()).toEqual(["eth_call", "eth_chainId"]);
    expect(answered).toBe(false);
    answerChainId();
    await read;
  });

  it("requests the chain id again after a failure or a wrong chain", async () => {
    const rpc = await startFaultyRpc(inject("rpcUrl"));
    onTestFinished(() => rpc.close());
    const publicClient = createPublicClient({ transport: http(rpc.url, { retryCount: 0 }) });
    const client = createAppRegistryClient({ deployment: twins.here.deployment, publicClient });
    rpc.break(({ method }) => (method === "eth_chainId" ? "drop" : "pass"));
    await expect(client.totalSupply()).rejects.toMatchObject({
      name: "RpcUnavailableError",
      retryable: true,
    });
    rpc.break(({ method }) => (method === "eth_chainId" ? { replace: () => "nonsense" } : "pass"));
    await expect(client.totalSupply()).rejects.toMatchObject({ name: "RpcFailedError", retryable: true });
    rpc.break(({ method }) => (method === "eth_chainId" ? { replace: () => "0x1" } : "pass"));
    await expect(client.totalSupply()).rejects.toMatchObject({ name: "WrongChainError", actualChainId: 1 });
    rpc.heal();
    expect(await client.totalSupply()).toBeTypeOf("bigint");
  });
});
