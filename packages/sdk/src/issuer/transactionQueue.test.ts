import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createPublicClient, createTestClient, http, keccak256, type PublicClient, stringToHex } from "viem";
import { hardhat } from "viem/chains";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deployContracts, testAccount, testClients } from "../../test/support/deployContracts.ts";
import { type HardhatNode, startHardhatNode } from "../../test/support/hardhatNode.ts";
import { resolverAbi } from "../abi/index.ts";
import type { PreparedCall } from "../client/index.ts";
import { ContractRevertError } from "../errors/index.ts";
import { createTransactionQueue } from "./transactionQueue.ts";

const account = testAccount(19);
let node: HardhatNode;
let publicClient: PublicClient;
let resolver: PreparedCall["address"];
/** Between the queue and the node; cuts the connection after a transaction was handed on, while `losing`. */
let proxy: Server;
let losing = false;

beforeAll(async () => {
  node = await startHardhatNode(18578);
  const deployment = await deployContracts(node.rpcUrl, { issuer: account.address });
  resolver = deployment.contracts.ResolverWithStore.address;
  publicClient = testClients(node.rpcUrl, account).publicClient as PublicClient;
  proxy = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", async () => {
      const answer = await fetch(node.rpcUrl, {
        method: "POST",
        body,
        headers: { "content-type": "application/json" },
      });
      const text = await answer.text();
      if (losing && body.includes("eth_sendRawTransaction")) response.destroy();
      else response.setHeader("content-type", "application/json").end(text);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
}, 90_000);
afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await node.stop();
});

const chain = () => createTestClient({ chain: hardhat, mode: "hardhat", transport: http(node.rpcUrl) });
const queueOver = (client: PublicClient) =>
  createTransactionQueue({ publicClient: client, account, chainId: hardhat.id });
const attest = (name: string): PreparedCall => ({
  address: resolver,
  abi: resolverAbi,
  functionName: "attestDID",
  args: [keccak256(stringToHex(name)), account.address, 0n],
});
const nonceOf = async (hash: `0x${string}`) => (await publicClient.getTransaction({ hash })).nonce;

describe("createTransactionQueue", () => {
  it("gives calls at the same time nonces without gap or repetition", async () => {
    const queue = queueOver(publicClient);
    const hashes = await Promise.all(
      Array.from({ length: 10 }, (_, index) => queue.send(attest(`many ${index}`))),
    );
    const nonces = await Promise.all(hashes.map(nonceOf));
    expect(nonces).toEqual(nonces.map((_, index) => (nonces[0] ?? 0) + index));
  });

  it("sends nothing for a call that would revert, and goes on with the next", async () => {
    const queue = queueOver(publicClient);
    const before = await publicClient.getTransactionCount({ address: account.address });
    const expired = { ...attest("past"), args: [keccak256("0x01"), account.address, 1n] };
    await expect(queue.send(expired)).rejects.toBeInstanceOf(ContractRevertError);
    expect(await nonceOf(await queue.send(attest("after a refusal")))).toBe(before);
  });

  it("takes a transaction whose answer was lost for sent", async () => {
    const rpcUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const client = createPublicClient({ chain: hardhat, transport: http(rpcUrl, { retryCount: 0 }) });
    const before = await publicClient.getTransactionCount({ address: account.address });
    losing = true;
    const hash = await queueOver(client as PublicClient).send(attest("lost answer"));
    losing = false;
    expect(await nonceOf(hash)).toBe(before);
    expect(await publicClient.getTransactionCount({ address: account.address })).toBe(before + 1);
  });

  it("uses the nonce of a transaction that the node forgot again", async () => {
    const queue = queueOver(publicClient);
    await chain().setAutomine(false);
    try {
      const forgotten = await queue.send(attest("forgotten"));
      const nonce = await nonceOf(forgotten);
      await chain().dropTransaction({ hash: forgotten });
      expect(await nonceOf(await queue.send(attest("in its place")))).toBe(nonce);
    } finally {
      await chain().setAutomine(true);
      await chain().mine({ blocks: 1 });
    }
  });
});
