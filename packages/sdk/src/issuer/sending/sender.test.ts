import type { Pool } from "pg";
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  http,
  keccak256,
  type PublicClient,
  parseEther,
  parseGwei,
  stringToHex,
} from "viem";
import { hardhat } from "viem/chains";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { deployContracts, testAccount, testClients } from "../../../test/support/deployContracts.ts";
import { type FaultyRpc, startFaultyRpc } from "../../../test/support/faultyRpc.ts";
import { freePort } from "../../../test/support/freePort.ts";
import { type HardhatNode, startHardhatNode } from "../../../test/support/hardhatNode.ts";
import { type PostgresServer, startPostgres } from "../../../test/support/postgres.ts";
import { resolverAbi } from "../../abi/index.ts";
import { createAppRegistryClient, type PreparedCall } from "../../client/index.ts";
import type { Deployment } from "../../deployment.ts";
import { ContractRevertError } from "../../errors/index.ts";
import { readMarketFees } from "./fees.ts";
import type { IssuerEvent } from "./issuerEvent.ts";
import { ATTESTATION_GAS } from "./issuerFunds.ts";
import { createMemoryTransactionStore } from "./memoryTransactionStore.ts";
import { createPostgresTransactionStore } from "./postgresTransactionStore.ts";
import { createSender, type Sender, type SenderOptions } from "./sender.ts";
import {
  IssuerFeesTooHighError,
  IssuerOutOfFundsError,
  IssuerRecoveringError,
  IssuerSpendingCapError,
  TransactionRefusedError,
} from "./sendingErrors.ts";
import type { OpenTransactionStore, TransactionStore } from "./transactionStore.ts";

const account = testAccount(19);
const { address } = account;
const chain = () => createTestClient({ chain: hardhat, mode: "hardhat", transport: http(node.rpcUrl) });

let node: HardhatNode;
let rpc: FaultyRpc;
let deployment: Deployment;
let publicClient: PublicClient;
let postgres: PostgresServer;
let pool: Pool;
const senders: Sender[] = [];
const events: IssuerEvent[] = [];

beforeAll(async () => {
  [node, postgres] = await Promise.all([startHardhatNode(await freePort()), startPostgres()]);
  rpc = await startFaultyRpc(node.rpcUrl);
  deployment = await deployContracts(node.rpcUrl, { issuer: address });
  publicClient = testClients(node.rpcUrl, account).publicClient as PublicClient;
  pool = postgres.connect();
}, 120_000);
afterAll(async () => {
  await pool.end();
  await Promise.all([rpc.close(), node.stop(), postgres.stop()]);
});
afterEach(async () => {
  for (const sender of senders.splice(0)) sender.close();
  events.splice(0);
  rpc.heal();
  await chain().setAutomine(true);
  await chain().mine({ blocks: 1 });
});

let names = 0;
/** A call that attests another DID each time. */
const nextCall = (expiresAt = 0n): PreparedCall => ({
  address: deployment.contracts.ResolverWithStore.address,
  abi: resolverAbi,
  functionName: "attestDID",
  args: [keccak256(stringToHex(`name ${names++}`)), address, expiresAt],
});
const submission = (call = nextCall()) => ({ key: String(call.args[0]), call, readAt: 0n });
const usedNonces = () => publicClient.getTransactionCount({ address });
const nonceOf = async (hash: `0x${string}`) => (await publicClient.getTransaction({ hash })).nonce;

/** A store that outlives the senders that open it, as a database does. */
const stores: Record<string, () => OpenTransactionStore> = {
  memory() {
    const store = createMemoryTransactionStore();
    return async () => store;
  },
  postgres() {
    const name = `run ${names++}`;
    return (scope) => createPostgresTransactionStore(pool)(`${scope} ${name}`);
  },
};

async function startSender(
  options: SenderOptions & { openStore?: OpenTransactionStore; timeout?: number } = {},
) {
  const transport = http(rpc.url, { retryCount: 0, timeout: 1_000, batch: true });
  const client = createPublicClient({ chain: hardhat, transport, pollingInterval: 20 }) as PublicClient;
  const { timeout: receiptTimeout = 5_000, openStore = stores.memory?.() } = options;
  const sender = await createSender({
    keepInterval: 50,
    onEvent: (event) => void events.push(event),
    ...options,
    openStore: openStore as OpenTransactionStore,
    client: createAppRegistryClient({ deployment, publicClient: client }),
    publicClient: client,
    account,
    issuer: address,
    chainId: hardhat.id,
    receiptTimeout,
  });
  senders.push(sender);
  return sender;
}

describe.each(Object.entries(stores))("sending with a store in %s", (_, nextStore) => {
  const start = (options: Parameters<typeof startSender>[0] = {}) =>
    startSender({ openStore: nextStore(), ...options });

  it("gives calls at the same time nonces without gap or repetition", async () => {
    const sender = await start();
    const before = await usedNonces();
    const sent = await Promise.all(Array.from({ length: 10 }, () => sender.send(submission())));
    expect(sent.map(({ status }) => status)).toEqual(Array(10).fill("mined"));
    const nonces = await Promise.all(sent.map(({ hash }) => nonceOf(hash)));
    expect(nonces.sort((a, b) => a - b)).toEqual(Array.from({ length: 10 }, (_, index) => before + index));
  });

  it("gives processes at the same time nonces without gap or repetition", async () => {
    const openStore = nextStore();
    const processes = await Promise.all([start({ openStore }), start({ openStore })]);
    const before = await usedNonces();
    const calls = Array.from({ length: 5 }, () => submission());
    const sent = await Promise.all(processes.flatMap((sender) => calls.map((call) => sender.send(call))));
    expect(sent.map(({ status }) => status)).toEqual(Array(10).fill("mined"));
    expect(new Set(sent.map(({ hash }) => hash)).size).toBe(5);
    expect((await usedNonces()) - before).toBe(5);
  });

  it("sends nothing for a call that would revert, and goes on with the next", async () => {
    const sender = await start();
    const before = await usedNonces();
    await expect(sender.send(submission(nextCall(1n)))).rejects.toBeInstanceOf(ContractRevertError);
    expect(await nonceOf((await sender.send(submission())).hash)).toBe(before);
  });

  it("waits for the open transaction of a key, also in another process", async () => {
    const openStore = nextStore();
    const [one, two] = [await start({ openStore, timeout: 100 }), await start({ openStore })];
    await chain().setAutomine(false);
    const call = submission();
    const first = await one.send(call);
    expect(first.status).toBe("pending");
    const waiting = [two.send(call), two.resume(call.key)];
    await chain().mine({ blocks: 1 });
    for (const sent of await Promise.all(waiting))
      expect(sent).toMatchObject({ status: "mined", hash: first.hash });
    expect(await two.resume(call.key)).toBeUndefined();
  });

  it("sends no call again that was mined after it was found missing", async () => {
    const sender = await start();
    const call = { ...submission(), readAt: await publicClient.getBlockNumber({ cacheTime: 0 }) };
    const first = await sender.send(call);
    expect(await sender.send(call)).toEqual(first);
    const readAt = await publicClient.getBlockNumber({ cacheTime: 0 });
    expect((await sender.send({ ...call, readAt })).hash).not.toBe(first.hash);
  });

  it("takes a transaction whose answer was lost for sent", async () => {
    const sender = await start();
    const before = await usedNonces();
    rpc.break(({ method }) => (method === "eth_sendRawTransaction" ? "lose" : "pass"));
    expect(await sender.send(submission())).toMatchObject({ status: "mined" });
    expect((await usedNonces()) - before).toBe(1);
  });

  it("sends again what was signed before a crash, and what the node forgot", async () => {
    const openStore = nextStore();
    const dying = await start({ openStore, timeout: 100, keepInterval: 60_000 });
    const before = await usedNonces();
    rpc.break(({ method }) => (method === "eth_sendRawTransaction" ? "drop" : "pass"));
    const [unsent, after] = await Promise.all([dying.send(submission()), dying.send(submission())]);
    expect([unsent.status, after.status]).toEqual(["pending", "pending"]);
    dying.close();
    rpc.heal();
    expect(await usedNonces()).toBe(before);
    await chain().setAutomine(false);
    await start({ openStore });
    await expect
      .poll(() => publicClient.getTransactionCount({ address, blockTag: "pending" }))
      .toBe(before + 2);
    await chain().dropTransaction({ hash: unsent.hash });
    await expect.poll(() => events.filter(({ event }) => event === "transaction sent again")).toHaveLength(3);
    await chain().mine({ blocks: 1 });
    expect(await nonceOf(unsent.hash)).toBe(before);
    expect(await nonceOf(after.hash)).toBe(before + 1);
    expect(await usedNonces()).toBe(before + 2);
  });

  it("replaces what is stuck at a higher price, and names the hash that was mined", async () => {
    const sender = await start({ repriceAfter: 300 });
    await chain().setAutomine(false);
    await chain().setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei("1") });
    await chain().mine({ blocks: 1 });
    const before = await usedNonces();
    const sending = sender.send(submission());
    await expect
      .poll(() => publicClient.getTransactionCount({ address, blockTag: "pending" }))
      .toBe(before + 1);
    // Gas gets dearer than it offers: blocks are made, and it is in none of them.
    await chain().setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei("40") });
    await chain().mine({ blocks: 1 });
    expect(await usedNonces()).toBe(before);
    await expect.poll(() => events.map(({ event }) => event)).toContain("transaction repriced");
    const repriced = events.find((event) => event.event === "transaction repriced");
    await chain().mine({ blocks: 1 });
    const sent = await sending;
    expect(sent.status).toBe("mined");
    expect(await nonceOf(sent.hash)).toBe(before);
    expect(await usedNonces()).toBe(before + 1);
    expect(sent.hash).not.toBe(repriced?.event === "transaction repriced" ? repriced.replaces : "");
  });

  it("pays no more than its cap for a replacement, and says once that it is stuck", async () => {
    await chain().setAutomine(false);
    await chain().setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei("1") });
    await chain().mine({ blocks: 1 });
    const cap = parseGwei("4");
    const sender = await start({ repriceAfter: 60, maxFeePerGas: cap });
    const sending = sender.send(submission());
    await expect.poll(() => events.map(({ event }) => event)).toContain("transaction stuck at a cap");
    await new Promise((resolve) => setTimeout(resolve, 200));
    const prices = events.flatMap((event) => ("maxFeePerGas" in event ? [BigInt(event.maxFeePerGas)] : []));
    expect(prices.every((price) => price <= cap)).toBe(true);
    expect(events.filter(({ event }) => event === "transaction stuck at a cap")).toHaveLength(1);
    await chain().mine({ blocks: 1 });
    expect((await sending).status).toBe("mined");
  });

  it("spends no more than its cap in an hour, however many processes send at once", async () => {
    const { maxFeePerGas } = await readMarketFees(publicClient);
    const spendingCap = 2n * ATTESTATION_GAS * maxFeePerGas;
    const openStore = nextStore();
    const processes = await Promise.all([
      start({ openStore, spendingCap }),
      start({ openStore, spendingCap }),
    ]);
    const [nonce, balance] = await Promise.all([usedNonces(), publicClient.getBalance({ address })]);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 16 }, (_, index) => processes[index % 2]?.send(submission())),
    );
    const sent = outcomes.filter(({ status }) => status === "fulfilled");
    const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    expect(sent.length).toBeGreaterThanOrEqual(2);
    expect(refused.length).toBeGreaterThan(0);
    for (const error of refused) {
      expect(error).toBeInstanceOf(IssuerSpendingCapError);
      expect(error.retryAfter).toBeGreaterThan(3_500);
    }
    expect(balance - (await publicClient.getBalance({ address }))).toBeLessThanOrEqual(spendingCap);
    expect(await usedNonces()).toBe(nonce + sent.length);
    await expect(processes[0]?.assertFunds()).rejects.toBeInstanceOf(IssuerSpendingCapError);
  });

  it("replaces nothing at a price that its spending cap has no room for", async () => {
    await chain().setAutomine(false);
    await chain().setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei("1") });
    await chain().mine({ blocks: 1 });
    const { maxFeePerGas } = await readMarketFees(publicClient);
    const spendingCap = 100_000n * maxFeePerGas;
    const sender = await start({ repriceAfter: 60, spendingCap });
    const sending = sender.send(submission());
    await expect
      .poll(() => events.map(({ event }) => event), { timeout: 10_000 })
      .toContain("transaction stuck at a cap");
    await chain().mine({ blocks: 1 });
    const { status, hash } = await sending;
    expect(status).toBe("mined");
    const { gas, maxFeePerGas: last = 0n } = await publicClient.getTransaction({ hash });
    expect(gas * last).toBeLessThanOrEqual(spendingCap);
    expect(events.map(({ event }) => event)).toContain("transaction repriced");
  });

  it("gives up a transaction whose nonce went to one that it did not send", async () => {
    const sender = await start({ timeout: 100 });
    await chain().setAutomine(false);
    const { hash } = await sender.send(submission());
    const nonce = await nonceOf(hash);
    await chain().dropTransaction({ hash });
    rpc.break(({ method }) => (method === "eth_sendRawTransaction" ? "error" : "pass"));
    const wallet = createWalletClient({ account, chain: hardhat, transport: http(node.rpcUrl) });
    await wallet.sendTransaction({ to: address, nonce });
    await chain().mine({ blocks: 13 });
    await expect.poll(() => events).toContainEqual({ event: "transaction lost", nonce, hash });
    rpc.heal();
    await chain().setAutomine(true);
    expect(await sender.send(submission())).toMatchObject({ status: "mined" });
  });

  it("says why a transaction was mined without effect", async () => {
    const sender = await start();
    await chain().setAutomine(false);
    const block = await publicClient.getBlock();
    // Live when it is sent, expired when it is mined.
    const sending = sender.send(submission(nextCall(block.timestamp + 500n)));
    await expect
      .poll(() => publicClient.getTransactionCount({ address, blockTag: "pending" }))
      .toBe((await usedNonces()) + 1);
    await chain().increaseTime({ seconds: 1_000 });
    await chain().mine({ blocks: 1 });
    expect(await sending).toMatchObject({ status: "reverted", reason: expect.stringMatching(/expire/i) });
  });
});

describe("the issuer's balance", () => {
  const balance = parseEther("10000");

  it("is checked before anything is tried", async () => {
    const sender = await startSender();
    const before = await usedNonces();
    await chain().setBalance({ address, value: parseGwei("1") });
    await expect(sender.assertFunds()).rejects.toBeInstanceOf(IssuerOutOfFundsError);
    await expect(sender.send(submission())).rejects.toMatchObject({ retryable: true });
    expect(await usedNonces()).toBe(before);
    await chain().setBalance({ address, value: balance });
    await sender.assertFunds();
  });

  it("is told of once when it gets low", async () => {
    const sender = await startSender({ lowBalance: 100 });
    await sender.assertFunds();
    expect(events).toEqual([]);
    await chain().setBalance({ address, value: parseEther("0.01") });
    await Promise.all([sender.assertFunds(), sender.assertFunds()]);
    expect(events).toMatchObject([{ event: "issuer balance low", balance: String(parseEther("0.01")) }]);
    const funds = await sender.readFunds();
    expect(funds).toMatchObject({ low: true, openTransactions: 0 });
    expect(funds.attestationsLeft).toBeLessThan(100);
    await chain().setBalance({ address, value: balance });
  });

  it("counts what open transactions may still cost", async () => {
    const sender = await startSender({ timeout: 100 });
    await chain().setAutomine(false);
    await sender.send(submission());
    const { available, openTransactions } = await sender.readFunds();
    expect(openTransactions).toBe(1);
    expect(available).toBeLessThan(await publicClient.getBalance({ address }));
  });

  it("is not spent while gas is dearer than the cap", async () => {
    const sender = await startSender({ maxFeePerGas: parseGwei("0.0001") });
    await expect(sender.assertFunds()).rejects.toBeInstanceOf(IssuerFeesTooHighError);
  });
});

describe("a node that refuses", () => {
  it("leaves nothing open, so that the call can be sent again", async () => {
    const sender = await startSender();
    rpc.break(({ method }) => (method === "eth_sendRawTransaction" ? "error" : "pass"));
    const call = submission();
    await expect(sender.send(call)).rejects.toBeInstanceOf(TransactionRefusedError);
    expect(await sender.readFunds()).toMatchObject({ openTransactions: 0 });
    rpc.heal();
    expect((await sender.send(call)).status).toBe("mined");
  });

  it("is not handed later what it refused, by a look that began before", async () => {
    const sender = await startSender();
    const before = await usedNonces();
    rpc.break(({ method }) => {
      if (method === "eth_sendRawTransaction") return "error";
      return method === "eth_getTransactionByHash" ? { delay: 200 } : "pass";
    });
    const call = submission();
    await expect(sender.send(call)).rejects.toBeInstanceOf(TransactionRefusedError);
    rpc.heal();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await usedNonces()).toBe(before);
    expect((await sender.send(call)).status).toBe("mined");
    expect(await usedNonces()).toBe(before + 1);
  });

  it("is believed no receipt of another transaction", async () => {
    const sender = await startSender({ timeout: 300 });
    const other = await sender.send(submission());
    const receipt = await publicClient.getTransactionReceipt({ hash: other.hash });
    await chain().setAutomine(false);
    const lie = { ...receipt, blockNumber: `0x${receipt.blockNumber.toString(16)}`, status: "0x1" };
    const told = JSON.parse(
      JSON.stringify(lie, (_, value) => (typeof value === "bigint" ? Number(value) : value)),
    );
    rpc.break(({ method, params }) =>
      method === "eth_getTransactionReceipt"
        ? { replace: () => ({ ...told, transactionHash: params[0] }) }
        : "pass",
    );
    const call = submission();
    expect((await sender.send(call)).status).toBe("pending");
    rpc.heal();
    await chain().mine({ blocks: 1 });
    expect((await sender.send(call)).status).toBe("mined");
  });
});

describe("an issuer that is started again without a database", () => {
  const crash = async (store: TransactionStore) => {
    const sender = await startSender({ openStore: async () => store, timeout: 100 });
    await chain().setAutomine(false);
    await sender.send(submission());
    sender.close();
  };

  it("waits for what it sent before, because the chain does not say yet what is attested", async () => {
    await crash(createMemoryTransactionStore());
    const again = await startSender({ timeout: 200 });
    await expect(again.recovered()).rejects.toBeInstanceOf(IssuerRecoveringError);
    await chain().mine({ blocks: 1 });
    await again.recovered();
  });

  it("displaces what stays stuck", async () => {
    await crash(createMemoryTransactionStore());
    const before = await usedNonces();
    const again = await startSender({ repriceAfter: 50, timeout: 5_000 });
    const recovering = again.recovered();
    const inPool = async () =>
      (await publicClient.getBlock({ blockTag: "pending", includeTransactions: true })).transactions;
    await expect.poll(async () => (await inPool()).map(({ to }) => to)).toEqual([address.toLowerCase()]);
    await chain().mine({ blocks: 1 });
    await recovering;
    expect(await usedNonces()).toBe(before + 1);
  });

  it("needs no wait when the store knows what is open", async () => {
    const store = createMemoryTransactionStore();
    await crash(store);
    await (await startSender({ openStore: async () => store, timeout: 200 })).recovered();
  });
});
