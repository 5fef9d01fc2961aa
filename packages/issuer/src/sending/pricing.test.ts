import { parseGwei } from "viem";
import { describe, expect, it } from "vitest";
import {
  account,
  attestedTimes,
  chain,
  events,
  getNonce,
  nextStore,
  publicClient,
  startSender,
  submission,
  useChain,
  usedNonces,
} from "../../test/support/senders.ts";
import { readMarketFees } from "./issuerTransaction.ts";
import { IssuerSpendingCapError } from "./sendingErrors.ts";
import { ATTESTATION_GAS } from "./submitTransaction.ts";

const { address } = account;
useChain();

describe("fees", () => {
  it("are raised for a stuck transaction, and the mined hash is returned", async () => {
    const sender = await startSender({ repriceAfter: 300 });
    await chain().setAutomine(false);
    await chain().setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei("1") });
    await chain().mine({ blocks: 1 });
    const before = await usedNonces();
    const sending = sender.send(submission());
    await expect
      .poll(() => publicClient.getTransactionCount({ address, blockTag: "pending" }))
      .toBe(before + 1);
    // Raise the gas price above the offer: blocks are mined without the transaction.
    await chain().setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei("40") });
    await chain().mine({ blocks: 1 });
    expect(await usedNonces()).toBe(before);
    await expect.poll(() => events.map(({ event }) => event)).toContain("transaction repriced");
    const repriced = events.find((event) => event.event === "transaction repriced");
    await chain().mine({ blocks: 1 });
    const sent = await sending;
    expect(sent.status).toBe("mined");
    expect(await getNonce(sent.hash)).toBe(before);
    expect(await usedNonces()).toBe(before + 1);
    expect(sent.hash).not.toBe(repriced?.event === "transaction repriced" ? repriced.replaces : "");
  });

  it("never exceed the fee cap, and a stuck transaction is reported once", async () => {
    await chain().setAutomine(false);
    await chain().setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei("1") });
    await chain().mine({ blocks: 1 });
    const cap = parseGwei("4");
    const sender = await startSender({ repriceAfter: 60, maxFeePerGas: cap });
    const sending = sender.send(submission());
    await expect.poll(() => events.map(({ event }) => event)).toContain("transaction stuck at a cap");
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await sender.readFunds()).toMatchObject({ openTransactions: 1, stuckTransactions: 1 });
    const prices = events.flatMap((event) => ("maxFeePerGas" in event ? [BigInt(event.maxFeePerGas)] : []));
    expect(prices.every((price) => price <= cap)).toBe(true);
    expect(events.filter(({ event }) => event === "transaction stuck at a cap")).toHaveLength(1);
    await chain().mine({ blocks: 1 });
    expect((await sending).status).toBe("mined");
    expect(await sender.readFunds()).toMatchObject({ openTransactions: 0, stuckTransactions: 0 });
  });

  it("never exceed the hourly spending cap with several processes", async () => {
    const { maxFeePerGas } = await readMarketFees(publicClient);
    const spendingCap = 3n * ATTESTATION_GAS * maxFeePerGas;
    const openStore = nextStore();
    const processes = await Promise.all([
      startSender({ openStore, spendingCap }),
      startSender({ openStore, spendingCap }),
    ]);
    const balance = await publicClient.getBalance({ address });
    const submissions = Array.from({ length: 16 }, () => submission());
    const outcomes = await Promise.allSettled(
      submissions.map((one, index) => processes[index % 2]?.send(one)),
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
    const attested = outcomes.map(({ status }) => (status === "fulfilled" ? 1 : 0));
    expect(await attestedTimes(submissions)).toEqual(attested);
    await expect(processes[0]?.assertFunds({ purpose: "request" })).rejects.toBeInstanceOf(
      IssuerSpendingCapError,
    );
  });

  it("are not raised beyond the spending cap", async () => {
    await chain().setAutomine(false);
    await chain().setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei("1") });
    await chain().mine({ blocks: 1 });
    const { maxFeePerGas } = await readMarketFees(publicClient);
    const spendingCap = 100_000n * maxFeePerGas;
    const sender = await startSender({ repriceAfter: 60, spendingCap });
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
});
