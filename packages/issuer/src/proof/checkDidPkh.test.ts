import { createGuardedFetch } from "@app-registry/outbound";
import { deployContract, testAccount } from "@app-registry/test-kit/deployContracts";
import { type DidHost, startDidHost } from "@app-registry/test-kit/didHost";
import { startFaultyRpc } from "@app-registry/test-kit/faultyRpc";
import { type Address, createPublicClient, http, type PublicClient } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contractChain } from "../../test/support/contractChain.ts";
import { checkDidControl } from "./checkDidControl.ts";

const registryChain = 31337;
const otherChain = 10;
const wallet = testAccount(1).address;
const guardedFetch = createGuardedFetch({ allowLoopback: true, timeout: 2_000 });
const { rpcUrl, client, test, deploy } = await contractChain();

let host: DidHost;
/** Clients of the registry's chain and of another one, which is the same node with another chain ID. */
let clients: Map<number, PublicClient>;
/** Contract account that signs by ERC-1271, like a Safe. It has no method that names an owner. */
let account: Address;

beforeAll(async () => {
  host = await startDidHost();
  const otherRpc = await startFaultyRpc(rpcUrl);
  otherRpc.break(({ method }) => (method === "eth_chainId" ? { replace: () => "0xa" } : "pass"));
  clients = new Map([
    [registryChain, client as PublicClient],
    [otherChain, createPublicClient({ transport: http(otherRpc.url, { retryCount: 0 }) })],
  ]);
  account = await deployContract(rpcUrl, "mocks/SignatureWallet", [wallet]);
  return () => otherRpc.close();
});
afterAll(() => host.close());

const check = (did: string, controller: Address = wallet) =>
  checkDidControl({
    did,
    controller,
    guardedFetch,
    chainClient: (chainId) => clients.get(chainId),
    chainId: registryChain,
    allowLoopback: true,
  });

const ownedBy = (owner: Address) => deployContract(rpcUrl, "examples/OwnableService", [owner]);

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
    const beacon = await deploy("UpgradeableBeacon", [account, wallet]);
    const proxy = await deploy("BeaconProxy", [beacon, "0x"]);
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
    const control = await check(`did:pkh:eip155:${registryChain}:${account}`);
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

  it("reports that no RPC is configured for the chain", async () => {
    expect(await check(`did:pkh:eip155:5:${account}`)).toMatchObject({
      outcome: "fail",
      code: "chain-not-configured",
      reason: expect.stringContaining("RPC_URL_5"),
    });
  });
});

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

describe("an owner that has a key", () => {
  it("controls its contract on another chain", async () => {
    const contract = await ownedBy(wallet);
    expect(await check(`did:pkh:eip155:${otherChain}:${contract}`)).toMatchObject({ outcome: "pass" });
  });

  it("controls its own did:pkh on every chain while it delegates to code (EIP-7702)", async () => {
    const key = testAccount(7).address;
    const delegate = await ownedBy(testAccount(8).address);
    await test.setCode({ address: key, bytecode: `0xef0100${delegate.slice(2).toLowerCase() as ""}` });
    const did = `did:pkh:eip155:${otherChain}:${key.toLowerCase()}`;
    expect(await check(did, key)).toMatchObject({ outcome: "pass", evidence: { way: "EIP-7702 key" } });
  });
});
