import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { createGuardedFetch } from "@app-registry/outbound";
import { RpcUnavailableError } from "@app-registry/sdk";
import { deployContract, deployOpenZeppelin, testAccount } from "@app-registry/test-kit/deployContracts";
import { type DidHost, startDidHost } from "@app-registry/test-kit/didHost";
import { freePort } from "@app-registry/test-kit/freePort";
import { type HardhatNode, startHardhatNode } from "@app-registry/test-kit/hardhatNode";
import { listen } from "@app-registry/test-kit/listen";
import {
  type Address,
  createPublicClient,
  createTestClient,
  getAddress,
  http,
  type PublicClient,
  pad,
} from "viem";
import { hardhat } from "viem/chains";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkDidControl } from "./checkDidControl.ts";

const registryChain = 31337;
const otherChain = 10;
const wallet = testAccount(1).address;
const guardedFetch = createGuardedFetch({ allowLoopback: true, timeout: 2_000 });

let node: HardhatNode;
let host: DidHost;
let otherRpc: Awaited<ReturnType<typeof listen>>;
/** Clients of the registry's chain and of another one, which is the same node with another chain ID. */
let clients: Map<number, PublicClient>;
/** Contract account that signs by ERC-1271, like a Safe. */
let account: Address;

beforeAll(async () => {
  node = await startHardhatNode(await freePort());
  host = await startDidHost();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { id, method } = JSON.parse(body);
    const init = { method: "POST", body, headers: { "content-type": "application/json" } };
    const answer =
      method === "eth_chainId"
        ? JSON.stringify({ jsonrpc: "2.0", id, result: `0x${otherChain.toString(16)}` })
        : await (await fetch(node.rpcUrl, init)).text();
    response.setHeader("content-type", "application/json").end(answer);
  });
  otherRpc = await listen(server);
  clients = new Map([
    [registryChain, createPublicClient({ transport: http(node.rpcUrl, { retryCount: 0 }) })],
    [otherChain, createPublicClient({ transport: http(otherRpc.origin, { retryCount: 0 }) })],
  ]);
  account = await deployContract(node.rpcUrl, "mocks/SignatureWallet", [wallet]);
});
afterAll(async () => {
  await otherRpc.close();
  await host.close();
  await node.stop();
});

const check = (did: string, controller: Address = wallet) =>
  checkDidControl({
    did,
    controller,
    guardedFetch,
    chainClient: (chainId) => clients.get(chainId),
    chainId: registryChain,
    allowLoopback: true,
  });

const hardhatTest = () => createTestClient({ chain: hardhat, mode: "hardhat", transport: http(node.rpcUrl) });
const ownedBy = (owner: Address) => deployContract(node.rpcUrl, "examples/OwnableService", [owner]);

describe("checkDidControl, for a did:pkh", () => {
  it("returns contract, method and block as evidence", async () => {
    const contract = await ownedBy(wallet);
    const did = `did:pkh:eip155:${registryChain}:${contract.toLowerCase()}`;
    expect(await check(` ${did.replace(contract.toLowerCase(), contract)} `)).toEqual({
      outcome: "pass",
      did,
      controller: wallet,
      evidence: {
        kind: "contract-owner",
        chainId: registryChain,
        contract,
        way: "owner()",
        blockNumber: expect.any(Number),
      },
    });
  });

  it("returns the beacon through which a wallet controls a proxy", async () => {
    const beacon = await deployOpenZeppelin(node.rpcUrl, "UpgradeableBeacon", [account, wallet]);
    const proxy = await deployOpenZeppelin(node.rpcUrl, "BeaconProxy", [beacon, "0x"]);
    expect(await check(`did:pkh:eip155:${registryChain}:${proxy}`)).toMatchObject({
      outcome: "pass",
      evidence: { way: "EIP-1967 beacon", through: beacon },
    });
  });

  it("reports the account that controls the contract instead", async () => {
    const owner = testAccount(2).address;
    const contract = await ownedBy(owner);
    expect(await check(`did:pkh:eip155:${registryChain}:${contract}`)).toMatchObject({
      outcome: "fail",
      code: "contract-owner-mismatch",
      reason: `The contract ${contract} is controlled by ${owner} (owner()), not by ${wallet}.`,
      ways: [{ way: "owner()", reason: `names ${owner}, not the connected wallet` }],
    });
  });

  it("lists all attempted methods for a contract without a controller", async () => {
    const control = await check(`did:pkh:eip155:${registryChain}:${await ownedByNobody()}`);
    expect(control).toMatchObject({ outcome: "fail", code: "contract-owner-unknown" });
    expect(control.outcome === "fail" && control.ways.map(({ way }) => way)).toEqual([
      "owner()",
      "getOwner()",
      "admin()",
      "EIP-1967 admin",
      "EIP-1967 beacon",
      "DEFAULT_ADMIN_ROLE",
    ]);
  });

  it.each([["itself", 1] as const, ["a wallet that signs for it", 0] as const])(
    "does not accept a contract as its own controller for %s, even if owner() returns the contract",
    async (_, asks) => {
      const code = "5f3560e01c638da5cb5b146011575f5ffd5b305f5260205ff3";
      const contract = getAddress(`0x${"5e1f".padStart(40, "0")}`);
      await hardhatTest().setCode({ address: contract, bytecode: `0x${code}` });
      const control = await check(`did:pkh:eip155:${registryChain}:${contract}`, asks ? contract : wallet);
      expect(control).toMatchObject({
        outcome: "fail",
        code: "contract-owner-unknown",
        ways: [{ way: "owner()", reason: expect.stringContaining("a contract can't control itself") }],
      });
    },
  );

  it("reports that no RPC is configured for the chain", async () => {
    expect(await check(`did:pkh:eip155:5:${account}`)).toMatchObject({
      outcome: "fail",
      code: "chain-not-configured",
      reason: expect.stringContaining("RPC_URL_5"),
    });
  });

  it("returns unknown if the chain does not respond", async () => {
    const away = createPublicClient({ transport: http("http://127.0.0.1:18739", { retryCount: 0 }) });
    const promise = checkDidControl({
      did: `did:pkh:eip155:5:${account}`,
      controller: wallet,
      guardedFetch,
      chainClient: () => away,
      chainId: registryChain,
    });
    await expect(promise).rejects.toBeInstanceOf(RpcUnavailableError);
  });
});

/** Contract without any ownership method. */
async function ownedByNobody(): Promise<Address> {
  return deployContract(node.rpcUrl, "mocks/SignatureWallet", [wallet]);
}

describe("an owner that is a contract account such as a Safe", () => {
  it("controls its contract on the registry's chain", async () => {
    const contract = await ownedBy(account);
    expect(await check(`did:pkh:eip155:${registryChain}:${contract}`, account)).toMatchObject({
      outcome: "pass",
      controller: account,
    });
  });

  it("has to be connected itself, not a wallet that signs for it", async () => {
    const contract = await ownedBy(account);
    expect(await check(`did:pkh:eip155:${registryChain}:${contract}`)).toMatchObject({
      code: "contract-owner-mismatch",
      reason: expect.stringContaining("such as a Safe. Connect with that account itself"),
    });
  });

  it("does not control a contract of another chain, where its address may belong to someone else", async () => {
    const contract = await ownedBy(account);
    expect(await check(`did:pkh:eip155:${otherChain}:${contract}`, account)).toMatchObject({
      outcome: "fail",
      code: "contract-account-elsewhere",
      reason: expect.stringContaining("can belong to different accounts"),
    });
  });

  it("proves control by a did.json with the registry's chain, but not with another chain", async () => {
    const did = host.did(account);
    expect(await check(did, account)).toMatchObject({ outcome: "pass" });
    const path = `/${did.split(":").at(-1)}/did.json`;
    const naming = (chainId: number) => ({
      id: did,
      verificationMethod: [{ id: "#1", blockchainAccountId: `eip155:${chainId}:${account}` }],
    });
    host.put(path, JSON.stringify(naming(otherChain)));
    const control = await check(did, account);
    expect(control).toMatchObject({
      outcome: "fail",
      code: "contract-account-elsewhere",
      ways: [{ way: "#1" }],
    });
    if (control.outcome === "pass" || !control.publish) throw new Error("no file proposed");
    host.put(path, control.publish.document);
    expect(await check(did, account)).toMatchObject({ outcome: "pass" });
  });
});

/** Makes an account delegate to code whose `owner()` returns `author` (EIP-7702). */
async function delegateTo(account: Address, author: Address): Promise<void> {
  const delegate = await ownedBy(author);
  await hardhatTest().setCode({ address: account, bytecode: `0xef0100${delegate.slice(2).toLowerCase()}` });
  // Set the storage of the account, from which the delegated code reads its owner.
  await hardhatTest().setStorageAt({ address: account, index: "0x00", value: pad(author) });
}

describe("the did:pkh of an account that delegates to code (EIP-7702)", () => {
  const account = testAccount(7).address;
  const author = testAccount(8).address;
  beforeAll(() => delegateTo(account, author));

  it.each([registryChain, otherChain])("belongs to its key on chain %i", async (chainId) => {
    const did = `did:pkh:eip155:${chainId}:${account.toLowerCase()}`;
    expect(await check(did, account)).toEqual({
      outcome: "pass",
      did,
      controller: account,
      evidence: {
        kind: "contract-owner",
        chainId,
        contract: account,
        way: "EIP-7702 key",
        blockNumber: expect.any(Number),
      },
    });
  });
});

describe("an owner that has a key", () => {
  it("controls its contract on another chain", async () => {
    const contract = await ownedBy(wallet);
    expect(await check(`did:pkh:eip155:${otherChain}:${contract}`)).toMatchObject({ outcome: "pass" });
  });
});
