import { text } from "node:stream/consumers";
import { RpcUnavailableError } from "@app-registry/sdk";
import { serveHttp } from "@app-registry/test-kit/httpServer";
import { offchainLookupCode } from "@app-registry/test-kit/offchainLookup";
import {
  accessControl,
  adminSlot,
  beaconSlot,
  getter,
  hasRole,
  supportsAccessControl,
  supportsErc165,
  supportsEverything,
} from "@app-registry/test-kit/runtimeCode";
import { type Address, createPublicClient, getAddress, http, pad, zeroAddress, zeroHash } from "viem";
import { describe, expect, it } from "vitest";
import { contractChain } from "../../test/support/contractChain.ts";
import { readContractControl } from "./contractControl.ts";

const owner = getAddress("0x00000000000000000000000000000000000aaaaa");
const other = getAddress("0x00000000000000000000000000000000000bbbbb");

const { rpcUrl, client, test, place, setSlot, deploy } = await contractChain();

const read = (address: Address, controller: Address = owner) =>
  readContractControl({ client, chainId: 31337, address, controller });

describe("readContractControl", () => {
  it.each(["owner()", "getOwner()", "admin()"] as const)("returns the result of %s", async (way) => {
    const control = await read(await place(getter(way, owner)));
    expect(control).toMatchObject({ chainId: 31337, owner });
    expect(control.answers.at(-1)).toEqual({ way, owner });
  });

  it("returns the EIP-1967 admin if it is an account", async () => {
    const proxy = await place("5f5ffd");
    await setSlot(proxy, adminSlot, owner);
    expect((await read(proxy)).answers.at(-1)).toEqual({ way: "EIP-1967 admin", owner });
  });

  it("returns the owner of an EIP-1967 ProxyAdmin, only one hop", async () => {
    const proxyAdmin = await place(getter("owner()", await place(getter("owner()", owner))));
    const proxy = await place("5f5ffd");
    await setSlot(proxy, adminSlot, proxyAdmin);
    const control = await read(proxy);
    expect(control.answers.at(-1)?.through).toBe(getAddress(proxyAdmin));
    expect(control.owner).not.toBe(owner);
  });

  it("reads OpenZeppelin's transparent proxy through its ProxyAdmin", async () => {
    const logic = await deploy("TimelockController", [0n, [], [], other]);
    const proxy = await deploy("TransparentUpgradeableProxy", [logic, owner, "0xf27a0c92"]);
    const slot = await client.getStorageAt({ address: proxy, slot: adminSlot });
    expect((await read(proxy)).answers.at(-1)).toEqual({
      way: "EIP-1967 admin",
      owner,
      through: getAddress(`0x${slot?.slice(-40)}`),
    });
  });

  it("returns the owner of a beacon, who controls the code of the proxy", async () => {
    const logic = await deploy("TimelockController", [0n, [], [], other]);
    const beacon = await deploy("UpgradeableBeacon", [logic, owner]);
    const control = await read(await deploy("BeaconProxy", [beacon, "0x"]));
    expect(control.answers.at(-1)).toEqual({ way: "EIP-1967 beacon", owner, through: beacon });
  });

  it("stops at a beacon without an owner, because someone else may change the code", async () => {
    const proxy = await place(accessControl([supportsErc165, supportsAccessControl, hasRole(owner)]));
    const beacon = await place("5f5ffd");
    await setSlot(proxy, beaconSlot, beacon);
    const control = await read(proxy);
    expect(control.owner).toBeUndefined();
    expect(control.answers.at(-1)?.reason).toBe(`the beacon ${getAddress(beacon)} has no owner`);
  });

  it("returns the holder of OpenZeppelin's DEFAULT_ADMIN_ROLE if there is no owner", async () => {
    const timelock = await deploy("TimelockController", [0n, [], [], owner]);
    expect((await read(timelock)).answers.at(-1)).toEqual({ way: "DEFAULT_ADMIN_ROLE", owner });
    const control = await read(timelock, other);
    expect(control.owner).toBeUndefined();
    expect(control.answers.at(-1)).toEqual({
      way: "DEFAULT_ADMIN_ROLE",
      reason: `${other} does not hold it`,
      missingRole: zeroHash,
    });
  });

  it.each([
    [
      "declares every interface",
      () => accessControl([supportsErc165, supportsEverything, supportsAccessControl, hasRole(owner)]),
    ],
    ["has the role and declares nothing", () => accessControl([hasRole(owner)])],
    ["declares ERC-165 alone", () => accessControl([supportsErc165, hasRole(owner)])],
    [
      "returns a number other than true for the role",
      () => accessControl([supportsErc165, supportsAccessControl], "6002"),
    ],
  ])("ignores the role of a contract that %s", async (_, code) => {
    const contract = await place(code());
    expect((await read(contract)).owner).toBeUndefined();
  });

  // @threat services: A contract that is mistaken for a key, owns itself, or has a former signer or no owner
  it("returns no owner if ownership was renounced, regardless of other methods", async () => {
    const proxy = await place(getter("owner()", zeroAddress));
    await setSlot(proxy, adminSlot, other);
    const control = await read(proxy);
    expect(control.owner).toBeUndefined();
    expect(control.answers.at(-1)?.reason).toContain("control was renounced");
  });

  it.each([
    ["whoever calls", "335f5260205ff3"],
    ["whoever sends the transaction", "325f5260205ff3"],
  ])("returns no owner if the contract returns %s, never an account of the node", async (_, code) => {
    expect((await read(await place(code))).owner).toBeUndefined();
  });

  it("reports that an account without code is not a contract", async () => {
    const control = await read(owner);
    expect(control.owner).toBeUndefined();
    expect(control.answers[0]?.reason).toContain("no contract");
  });

  it.each([
    ["reverts", "5f5ffd"],
    ["stops without data", "00"],
    ["loops for ever", "5b5f56"],
    ["returns a flood of bytes", "63010000005ff3"],
    ["returns two words", "60405ff3"],
    ["returns more than an address", "5f195f5260205ff3"],
    ["is no code", "fe"],
  ])("returns no owner if the contract %s", async (_, code) => {
    const control = await read(await place(code));
    expect(control.owner).toBeUndefined();
    expect(control.answers.map(({ way }) => way)).toEqual([
      "owner()",
      "getOwner()",
      "admin()",
      "EIP-1967 admin",
      "EIP-1967 beacon",
      "DEFAULT_ADMIN_ROLE",
    ]);
  });

  // @threat services: A contract that is mistaken for a key, owns itself, or has a former signer or no owner
  it("gives a contract at most 300,000 gas, which limits a result to 360 kB", async () => {
    // GAS PUSH3 300000 LT PUSH1 0x0c JUMPI PUSH0 PUSH0 REVERT JUMPDEST, then returns the owner.
    const ifMoreGas = `5a620493e010600c575f5ffd5b73${owner.slice(2)}5f5260205ff3`;
    const to = await place(ifMoreGas);
    expect(await client.call({ to, gas: 400_000n })).toEqual({ data: pad(owner).toLowerCase() });
    expect((await read(to)).owner).toBeUndefined();
  });

  it("throws if the RPC is unavailable instead of returning no owner", async () => {
    const away = createPublicClient({ transport: http("http://127.0.0.1:18729", { retryCount: 0 }) });
    const promise = readContractControl({ client: away, chainId: 31337, address: owner, controller: owner });
    await expect(promise).rejects.toBeInstanceOf(RpcUnavailableError);
  });

  // @threat services: A contract or ENS name that redirects its reader (EIP-3668)
  it.each(["owner()", "the owner of its ProxyAdmin"])(
    "requests no URL of an offchain lookup for %s (EIP-3668)",
    async (asked) => {
      let requests = 0;
      const url = await serveHttp((_, response) => {
        requests += 1;
        response.end(JSON.stringify({ data: "0x" }));
      });
      const contract = await place("5f5ffd");
      await test.setCode({ address: contract, bytecode: offchainLookupCode(contract, [url]) });
      const proxy = await place("5f5ffd");
      await setSlot(proxy, adminSlot, contract);
      const control = await read(asked === "owner()" ? contract : proxy);
      expect(requests).toBe(0);
      expect(control.owner).toBe(asked === "owner()" ? undefined : getAddress(contract));
    },
  );

  it("throws if the node rejects the call", async () => {
    const limitedUrl = await serveHttp(async (request, response) => {
      const body = await text(request);
      const { id, method } = JSON.parse(body);
      const error = { code: -32005, message: "rate limit exceeded" };
      const init = { method: "POST", body, headers: { "content-type": "application/json" } };
      response.setHeader("content-type", "application/json");
      if (method === "eth_call") response.end(JSON.stringify({ jsonrpc: "2.0", id, error }));
      else response.end(await (await fetch(rpcUrl, init)).text());
    });
    const limited = createPublicClient({ transport: http(limitedUrl, { retryCount: 0 }) });
    const address = await place(getter("owner()", owner));
    const promise = readContractControl({ client: limited, chainId: 31337, address, controller: owner });
    await expect(promise).rejects.toBeInstanceOf(RpcUnavailableError);
  });

  it("rejects an RPC of another chain", async () => {
    await expect(
      readContractControl({ client, chainId: 1, address: owner, controller: owner }),
    ).rejects.toThrow(/serves chain 31337/);
  });
});
