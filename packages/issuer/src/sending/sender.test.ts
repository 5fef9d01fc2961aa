import { ContractRevertError } from "@app-registry/sdk";
import { createWalletClient, http } from "viem";
import { hardhat } from "viem/chains";
import { describe, expect, it } from "vitest";
import {
  account,
  attestedTimes,
  chain,
  events,
  getNonce,
  nextCall,
  nextStore,
  publicClient,
  rpc,
  rpcUrl,
  startSender,
  submission,
  useChain,
  usedNonces,
} from "../../test/support/senders.ts";
import { getIssuerScope } from "./broadcast.ts";
import { IssuerRecoveringError, TransactionRefusedError } from "./sendingErrors.ts";
import type { Submission } from "./submitTransaction.ts";

const { address } = account;
useChain();

describe("sender", () => {
  // @threat services: Two requests with one nonce, a killed process, or a transaction without an effect
  it("sends a call at once, and those that arrive meanwhile as one transaction", async () => {
    const sender = await startSender();
    const before = await usedNonces();
    const submissions = Array.from({ length: 10 }, () => submission());
    const sent = await Promise.all(submissions.map((one) => sender.send(one)));
    expect(sent.map(({ status }) => status)).toEqual(Array(10).fill("mined"));
    const nonces = await Promise.all(sent.map(({ hash }) => getNonce(hash)));
    expect(nonces).toEqual([before, ...Array(9).fill(before + 1)]);
    expect(await attestedTimes(submissions)).toEqual(Array(10).fill(1));
  });

  // @threat services: Two requests with one nonce, a killed process, or a transaction without an effect
  it("attests once what several processes send", async () => {
    const openStore = nextStore();
    const processes = await Promise.all([startSender({ openStore }), startSender({ openStore })]);
    const before = await usedNonces();
    const submissions = Array.from({ length: 5 }, () => submission());
    const sent = await Promise.all(
      processes.flatMap((sender) => submissions.map((call) => sender.send(call))),
    );
    expect(sent.map(({ status }) => status)).toEqual(Array(10).fill("mined"));
    expect(sent.slice(5).map(({ hash }) => hash)).toEqual(sent.slice(0, 5).map(({ hash }) => hash));
    expect(await attestedTimes(submissions)).toEqual(Array(5).fill(1));
    expect((await usedNonces()) - before).toBe(new Set(sent.map(({ hash }) => hash)).size);
  });

  it("sends a batch without the call that would revert, and each call once", async () => {
    const sender = await startSender();
    const submissions = Array.from({ length: 7 }, (_, index) => submission(nextCall(index === 3 ? 1n : 0n)));
    const sending = [...submissions, submissions[5] as Submission].map((one) => sender.send(one));
    const [, , , expired, ...others] = await Promise.allSettled(sending);
    expect(expired).toMatchObject({ status: "rejected", reason: expect.any(ContractRevertError) });
    for (const other of others) expect(other).toMatchObject({ value: { status: "mined" } });
    expect(await attestedTimes(submissions)).toEqual([1, 1, 1, 0, 1, 1, 1]);
  });

  it("keeps a batch within half of a block", async () => {
    const { gasLimit } = await publicClient.getBlock();
    await chain().setBlockGasLimit({ gasLimit: 1_000_000n });
    try {
      const sender = await startSender();
      const submissions = Array.from({ length: 30 }, () => submission());
      const sent = await Promise.all(submissions.map((one) => sender.send(one)));
      expect(await attestedTimes(submissions)).toEqual(Array(30).fill(1));
      const hashes = [...new Set(sent.map(({ hash }) => hash))];
      const transactions = await Promise.all(hashes.map((hash) => publicClient.getTransaction({ hash })));
      for (const { gas } of transactions) expect(gas).toBeLessThanOrEqual(500_000n);
      expect(hashes.length).toBeLessThan(10);
    } finally {
      await chain().setBlockGasLimit({ gasLimit });
    }
  });

  it("sends no call that would revert, and sends the next one", async () => {
    const sender = await startSender();
    const before = await usedNonces();
    await expect(sender.send(submission(nextCall(1n)))).rejects.toBeInstanceOf(ContractRevertError);
    expect(await getNonce((await sender.send(submission())).hash)).toBe(before);
  });

  it("waits for the open transaction of a key, even in another process", async () => {
    const openStore = nextStore();
    const [one, two] = [await startSender({ openStore, timeout: 100 }), await startSender({ openStore })];
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

  it("does not resend a call that was mined after the check", async () => {
    const sender = await startSender();
    const call = { ...submission(), readAt: await publicClient.getBlockNumber({ cacheTime: 0 }) };
    const first = await sender.send(call);
    expect(await sender.send(call)).toEqual(first);
    const readAt = await publicClient.getBlockNumber({ cacheTime: 0 });
    expect((await sender.send({ ...call, readAt })).hash).not.toBe(first.hash);
  });

  // @threat services: Two requests with one nonce, a killed process, or a transaction without an effect
  it("resends transactions that were signed before a crash or dropped by the node", async () => {
    const openStore = nextStore();
    const dying = await startSender({ openStore, timeout: 100, keepInterval: 60_000 });
    const before = await usedNonces();
    rpc.break(({ method }) => (method === "eth_sendRawTransaction" ? "drop" : "pass"));
    const [unsent, after] = await Promise.all([dying.send(submission()), dying.send(submission())]);
    expect([unsent.status, after.status]).toEqual(["pending", "pending"]);
    dying.close();
    rpc.heal();
    expect(await usedNonces()).toBe(before);
    await chain().setAutomine(false);
    await startSender({ openStore });
    await expect
      .poll(() => publicClient.getTransactionCount({ address, blockTag: "pending" }))
      .toBe(before + 2);
    await chain().dropTransaction({ hash: unsent.hash });
    await expect.poll(() => events.filter(({ event }) => event === "transaction sent again")).toHaveLength(3);
    await chain().mine({ blocks: 1 });
    expect(await getNonce(unsent.hash)).toBe(before);
    expect(await getNonce(after.hash)).toBe(before + 1);
    expect(await usedNonces()).toBe(before + 2);
  });

  it("drops a transaction whose nonce was used by another one", async () => {
    const sender = await startSender({ timeout: 100 });
    await chain().setAutomine(false);
    const { hash } = await sender.send(submission());
    const nonce = await getNonce(hash);
    await chain().dropTransaction({ hash });
    rpc.break(({ method }) => (method === "eth_sendRawTransaction" ? "error" : "pass"));
    const wallet = createWalletClient({ account, chain: hardhat, transport: http(rpcUrl()) });
    await wallet.sendTransaction({ to: address, nonce });
    await chain().mine({ blocks: 13 });
    await expect.poll(() => events).toContainEqual({ event: "transaction lost", nonce, hash });
    rpc.heal();
    await chain().setAutomine(true);
    expect(await sender.send(submission())).toMatchObject({ status: "mined" });
  });

  // @threat services: Two requests with one nonce, a killed process, or a transaction without an effect
  it("returns the reason of a revert", async () => {
    const sender = await startSender();
    await chain().setAutomine(false);
    const block = await publicClient.getBlock();
    // The attestation is valid when it is sent and expired when it is mined.
    const sending = sender.send(submission(nextCall(block.timestamp + 500n)));
    await expect
      .poll(() => publicClient.getTransactionCount({ address, blockTag: "pending" }))
      .toBe((await usedNonces()) + 1);
    await chain().increaseTime({ seconds: 1_000 });
    await chain().mine({ blocks: 1 });
    expect(await sending).toMatchObject({
      status: "reverted",
      reason: expect.stringMatching(/The expiry .* is in the past/),
    });
  });
});

describe("a node that rejects or lies", () => {
  it("does not get a rejected transaction again from a concurrent check", async () => {
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

  // @threat services: Two requests with one nonce, a killed process, or a transaction without an effect
  it("is not trusted if it returns the receipt of another transaction", async () => {
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

describe("an issuer that is started again after its database was lost", () => {
  const crash = async (openStore = nextStore()) => {
    const sender = await startSender({ openStore, timeout: 100 });
    await chain().setAutomine(false);
    await sender.send(submission());
    sender.close();
  };

  it("waits for its earlier transactions, because the chain does not show their attestations yet", async () => {
    await crash();
    const again = await startSender({ timeout: 200 });
    await expect(again.recovered()).rejects.toBeInstanceOf(IssuerRecoveringError);
    await chain().mine({ blocks: 1 });
    await again.recovered();
  });

  it("replaces a stuck transaction", async () => {
    await crash();
    const before = await usedNonces();
    const openStore = nextStore();
    const again = await startSender({ openStore, repriceAfter: 50, timeout: 5_000 });
    const recovering = again.recovered();
    const inPool = async () =>
      (await publicClient.getBlock({ blockTag: "pending", includeTransactions: true })).transactions;
    await expect.poll(async () => (await inPool()).map(({ to }) => to)).toEqual([address.toLowerCase()]);
    await chain().mine({ blocks: 1 });
    await recovering;
    expect(await usedNonces()).toBe(before + 1);
    // Its cost counts towards the spending cap.
    const store = await openStore(await getIssuerScope(publicClient, 31_337, address));
    expect(await store.find(`nonce ${before}`)).toMatchObject({ nonce: before });
  });

  it("does not replace a stuck transaction beyond its spending cap", async () => {
    await crash();
    const before = await usedNonces();
    const again = await startSender({ repriceAfter: 50, timeout: 1_000, spendingCap: 1n });
    await expect(again.recovered()).rejects.toBeInstanceOf(IssuerRecoveringError);
    await chain().mine({ blocks: 1 });
    await again.recovered();
    const { transactions } = await publicClient.getBlock({ includeTransactions: true });
    expect(transactions.map(({ to, nonce }) => ({ to, nonce }))).toEqual([
      { to: nextCall().address.toLowerCase(), nonce: before },
    ]);
  });

  it("does not wait if the store has the open transactions", async () => {
    const openStore = nextStore();
    await crash(openStore);
    await (await startSender({ openStore, timeout: 200 })).recovered();
  });
});
