import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type Address,
  createPublicClient,
  createTestClient,
  getAddress,
  type Hex,
  http,
  type PublicClient,
  pad,
  zeroAddress,
} from "viem";
import { hardhat } from "viem/chains";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HardhatNode, startHardhatNode } from "../../test/support/hardhatNode.ts";
import { RpcUnavailableError } from "../errors/index.ts";
import { readContractControl } from "./didPkhOwner.ts";

const owner = getAddress("0x00000000000000000000000000000000000aaaaa");
const other = getAddress("0x00000000000000000000000000000000000bbbbb");
const selectors = { "owner()": "8da5cb5b", "getOwner()": "893d20e8", "admin()": "f851a440" };
const adminSlot = "0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103";

let node: HardhatNode;
let client: PublicClient;
const test = () => createTestClient({ chain: hardhat, mode: "hardhat", transport: http(node.rpcUrl) });

beforeAll(async () => {
  node = await startHardhatNode(18570);
  client = createPublicClient({ chain: hardhat, transport: http(node.rpcUrl) });
}, 90_000);
afterAll(() => node.stop());

let nextAddress = 0x1000;

/** Puts runtime code at a fresh address. */
async function place(code: string): Promise<Address> {
  const address = pad(`0x${(nextAddress++).toString(16)}`, { size: 20 });
  await test().setCode({ address, bytecode: `0x${code}` as Hex });
  return address;
}

/** Code that returns an address for one selector (PUSH0 CALLDATALOAD PUSH1 e0 SHR PUSH4 … EQ) and reverts else. */
const getter = (way: keyof typeof selectors, value: Address) =>
  `5f3560e01c63${selectors[way]}146011575f5ffd5b73${value.slice(2)}5f5260205ff3`;

const read = (address: Address) => readContractControl({ client, chainId: 31337, address });

describe("readContractControl", () => {
  it.each(["owner()", "getOwner()", "admin()"] as const)("takes what %s names", async (way) => {
    const control = await read(await place(getter(way, owner)));
    expect(control).toMatchObject({ chainId: 31337, owner });
    expect(control.answers.at(-1)).toEqual({ way, owner });
  });

  it("takes the EIP-1967 admin when it is an account", async () => {
    const proxy = await place("5f5ffd");
    await test().setStorageAt({ address: proxy, index: adminSlot, value: pad(owner) });
    expect((await read(proxy)).answers.at(-1)).toEqual({ way: "EIP-1967 admin", owner });
  });

  it("takes the owner of an EIP-1967 ProxyAdmin, one hop and no further", async () => {
    const proxyAdmin = await place(getter("owner()", await place(getter("owner()", owner))));
    const proxy = await place("5f5ffd");
    await test().setStorageAt({ address: proxy, index: adminSlot, value: pad(proxyAdmin) });
    const control = await read(proxy);
    expect(control.answers.at(-1)?.proxyAdmin).toBe(getAddress(proxyAdmin));
    expect(control.owner).not.toBe(owner);
  });

  it("lets the first way that answers decide", async () => {
    const proxy = await place(getter("owner()", owner));
    await test().setStorageAt({ address: proxy, index: adminSlot, value: pad(other) });
    expect((await read(proxy)).owner).toBe(owner);
  });

  it("takes a renounced owner for nobody, whatever else the contract names", async () => {
    const proxy = await place(getter("owner()", zeroAddress));
    await test().setStorageAt({ address: proxy, index: adminSlot, value: pad(other) });
    const control = await read(proxy);
    expect(control.owner).toBeUndefined();
    expect(control.answers.at(-1)?.reason).toContain("given up");
  });

  it("says that an account without code is no contract", async () => {
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
  ])("names nobody when the contract %s", async (_, code) => {
    const control = await read(await place(code));
    expect(control.owner).toBeUndefined();
    expect(control.answers.map(({ way }) => way)).toEqual([
      "owner()",
      "getOwner()",
      "admin()",
      "EIP-1967 admin",
    ]);
  });

  it("takes an RPC that is away for unknown, never for nobody", async () => {
    const away = createPublicClient({ transport: http("http://127.0.0.1:18589", { retryCount: 0 }) });
    const promise = readContractControl({ client: away, chainId: 31337, address: owner });
    await expect(promise).rejects.toBeInstanceOf(RpcUnavailableError);
  });

  it("takes a refused call for unknown", async () => {
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => (body += chunk));
      request.on("end", async () => {
        response.setHeader("content-type", "application/json");
        const { id, method } = JSON.parse(body);
        const error = { code: -32005, message: "rate limit exceeded" };
        const init = { method: "POST", body, headers: { "content-type": "application/json" } };
        const passedOn = async () => (await fetch(node.rpcUrl, init)).text();
        response.end(
          method === "eth_call" ? JSON.stringify({ jsonrpc: "2.0", id, error }) : await passedOn(),
        );
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const rpcUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const limited = createPublicClient({ transport: http(rpcUrl, { retryCount: 0 }) });
    const address = await place(getter("owner()", owner));
    const promise = readContractControl({ client: limited, chainId: 31337, address });
    await expect(promise).rejects.toBeInstanceOf(RpcUnavailableError);
    server.close();
  });

  it("refuses an RPC of another chain", async () => {
    await expect(readContractControl({ client, chainId: 1, address: owner })).rejects.toThrow(
      /serves chain 31337/,
    );
  });
});
