import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { RpcUnavailableError } from "@app-registry/sdk";
import { eventually } from "@app-registry/test-kit/eventually";
import { freePort } from "@app-registry/test-kit/freePort";
import { startHardhatNode } from "@app-registry/test-kit/hardhatNode";
import { serveHttp } from "@app-registry/test-kit/httpServer";
import { adminSlot, getter } from "@app-registry/test-kit/runtimeCode";
import {
  type Address,
  createPublicClient,
  createTestClient,
  getAddress,
  type Hex,
  http,
  type PublicClient,
  pad,
} from "viem";
import { hardhat } from "viem/chains";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readContractControl } from "./contractControl.ts";
import { verifyWalletSignature } from "./contractReads.ts";

const admin = getAddress("0x00000000000000000000000000000000000aaaaa");

/** Response to a call. */
type CallResult = { result?: string; error?: object };

type Node = { rpcUrl: string; stop(): Promise<unknown> };

/** Starts Anvil in a separate process. */
async function startAnvil(): Promise<Node> {
  const root = fileURLToPath(new URL("../../../../", import.meta.url));
  const port = await freePort();
  const parameters = ["node_modules/@foundry-rs/anvil/bin.mjs", "--port", String(port), "--silent"];
  // Kill the process group, because the program starts another process.
  const child = spawn(process.execPath, parameters, { cwd: root, stdio: "ignore", detached: true });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const kill = () => child.pid !== undefined && process.kill(-child.pid, "SIGKILL");
  process.once("exit", kill);
  const rpcUrl = `http://127.0.0.1:${port}`;
  await eventually(() => createPublicClient({ transport: http(rpcUrl) }).getChainId());
  const stop = () => {
    process.off("exit", kill);
    kill();
    return ended;
  };
  return { rpcUrl, stop };
}

/** Code that always halts, or reverts with more data than most nodes expect. */
const halts: [what: string, code: string][] = [
  ["INVALID", "fe"],
  ["an opcode that nobody defined", "0c"],
  ["a loop without end", "5b5f56"],
  ["a loop that never empties the stack", "5b365f56"],
  ["a jump to nowhere", "600356"],
  ["an empty stack", "50"],
  ["more memory than gas", "63ffffffff5ffd"],
  ["memory beyond every address", `7f${"ff".repeat(32)}5ffd`],
  ["return data that there is not", "60205f5f3e"],
  ["a revert without a reason", "5f5ffd"],
  ["a revert with 64 KiB", "620100005ffd"],
];

const nodes = { Hardhat: async () => startHardhatNode(await freePort()), Anvil: startAnvil };

let node: Node;
let client: PublicClient;
let nextAddress = 0x9000;
let test: ReturnType<typeof connect>;
const connect = (mode: "anvil" | "hardhat") =>
  createTestClient({ chain: hardhat, mode, transport: http(node.rpcUrl) });

async function start(name: keyof typeof nodes) {
  node = await nodes[name]();
  test = connect(name === "Anvil" ? "anvil" : "hardhat");
  // Use a long timeout, because an endless loop takes a busy machine longer than the default.
  const transport = http(node.rpcUrl, { retryCount: 0, timeout: 120_000 });
  client = createPublicClient({ chain: hardhat, transport });
}

async function place(code: string): Promise<Address> {
  const address = pad(`0x${(nextAddress++).toString(16)}`, { size: 20 });
  await test.setCode({ address, bytecode: `0x${code}` as Hex });
  return address;
}

/** Proxy whose admin is only in its storage slot. */
async function placeProxy(code: string): Promise<Address> {
  const address = await place(code);
  await test.setStorageAt({ address, index: adminSlot, value: pad(admin) });
  return address;
}

const read = (address: Address, readWith = client) =>
  readContractControl({ client: readWith, chainId: 31337, address, controller: admin });

describe.each(Object.keys(nodes) as (keyof typeof nodes)[])("a contract on %s", (name) => {
  beforeAll(() => start(name));
  afterAll(() => node.stop());

  it.each(halts)("is read by the next method after %s", async (_, code) => {
    const { owner, answers } = await read(await placeProxy(code));
    expect(owner).toBe(admin);
    expect(answers.map(({ way }) => way)).toEqual(["owner()", "getOwner()", "admin()", "EIP-1967 admin"]);
  });

  it("has no valid signature if it halts", async () => {
    const asked = { message: "Mine.", signature: "0x00" } as const;
    expect(await verifyWalletSignature({ client, address: await place("fe"), ...asked })).toBe(false);
  });
});

describe("a contract on a node of another implementation", () => {
  beforeAll(() => start("Hardhat"));
  afterAll(() => node.stop());

  /** Returns a client of the node that changes the response to each `eth_call`. */
  async function behind(change: (result: CallResult) => object): Promise<PublicClient> {
    const origin = await serveHttp(async (request, response) => {
      const body = await text(request);
      const { id, method } = JSON.parse(body);
      const headers = { "content-type": "application/json" };
      const answer = await (await fetch(node.rpcUrl, { method: "POST", headers, body })).json();
      const changed = method === "eth_call" ? { jsonrpc: "2.0", id, ...change(answer) } : answer;
      response.writeHead(200, headers).end(JSON.stringify(changed));
    });
    return createPublicClient({ chain: hardhat, transport: http(origin, { retryCount: 0 }) });
  }

  it.each([
    ["geth", -32_000, "invalid opcode: INVALID"],
    ["geth", -32_000, "invalid opcode: opcode 0xc not defined"],
    ["geth", -32_000, "out of gas"],
    ["geth", -32_000, "invalid jump destination"],
    ["geth", -32_000, "stack underflow (0 <=> 1)"],
    ["geth", -32_000, "stack limit reached 1024 (1023)"],
    ["geth", -32_000, "gas uint64 overflow"],
    ["geth", -32_000, "return data out of bounds"],
    ["Reth", -32_003, "out of gas: gas required exceeds: 300000"],
    ["Reth", -32_000, "EVM error: InvalidFEOpcode"],
    ["Besu", -32_603, "Internal error"],
    ["Besu", -32_000, "Execution reverted"],
    ["Nethermind", -32_015, "VM execution error."],
    ["Nethermind", -32_015, "BadInstruction"],
    ["Nethermind", -32_000, "OutOfGas"],
    ["Nethermind", -32_003, "stack underflow"],
  ])("is read by the next method after the error of %s: %d %s", async (_, code, message) => {
    const readWith = await behind(({ error, ...answer }) => (error ? { error: { code, message } } : answer));
    expect(await read(await placeProxy("fe"), readWith)).toMatchObject({ owner: admin });
  });

  it.each([
    ["an internal error once, which may be the node's own", -32_603, "Internal error"],
    ["a limit", -32_005, "daily request count exceeded, request rate limited"],
    ["a missing block", -32_000, "header not found"],
    ["a time limit of the node", -32_000, "execution aborted (timeout = 5s)"],
  ])("is not read by the next method after %s of the node", async (_, code, message) => {
    const proxy = await placeProxy(getter("owner()", admin));
    let calls = 0;
    const readWith = await behind((answer) => (calls++ === 0 ? { error: { code, message } } : answer));
    await expect(read(proxy, readWith)).rejects.toBeInstanceOf(RpcUnavailableError);
  });
});
