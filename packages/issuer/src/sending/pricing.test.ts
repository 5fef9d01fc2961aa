import { parseEther, parseGwei } from "viem";
import { describe, expect, it } from "vitest";
import {
  account,
  chain,
  events,
  getNonce,
  publicClient,
  startSender,
  submission,
  useChain,
  usedNonces,
} from "../../test/support/senders.ts";
import { readMarketFees, replacementFees } from "./issuerTransaction.ts";
import { IssuerFeesTooHighError, IssuerOutOfFundsError } from "./sendingErrors.ts";

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

describe("the issuer's balance", () => {
  const balance = parseEther("10000");

  it("is checked before a transaction is created", async () => {
    const sender = await startSender();
    const before = await usedNonces();
    await chain().setBalance({ address, value: parseGwei("1") });
    await expect(sender.assertFunds({ purpose: "request" })).rejects.toBeInstanceOf(IssuerOutOfFundsError);
    expect(await sender.readFunds()).toMatchObject({ low: true, empty: true });
    await expect(sender.send(submission())).rejects.toMatchObject({ retryable: true });
    expect(await usedNonces()).toBe(before);
    await chain().setBalance({ address, value: balance });
    await sender.assertFunds({ purpose: "request" });
  });

  it("is reported once if it is low", async () => {
    const sender = await startSender({ lowBalance: 100 });
    await sender.assertFunds({ purpose: "request" });
    expect(events).toEqual([]);
    await chain().setBalance({ address, value: parseEther("0.01") });
    await Promise.all([
      sender.assertFunds({ purpose: "request" }),
      sender.assertFunds({ purpose: "request" }),
    ]);
    expect(events).toMatchObject([{ event: "issuer balance low", balance: String(parseEther("0.01")) }]);
    const funds = await sender.readFunds();
    expect(funds).toMatchObject({ low: true, empty: false, openTransactions: 0 });
    expect(funds.attestationsLeft).toBeLessThan(100);
    await chain().setBalance({ address, value: balance });
  });

  it("is reduced by the maximum cost of open transactions", async () => {
    const sender = await startSender({ timeout: 100 });
    await chain().setAutomine(false);
    await sender.send(submission());
    const { available, spent, ...counts } = await sender.readFunds();
    expect(counts).toMatchObject({ openTransactions: 1, stuckTransactions: 0 });
    const balance = await publicClient.getBalance({ address });
    expect(available).toBe(balance - spent);
    expect(spent).toBeGreaterThan(0n);
  });

  it("is not spent while the gas price is above the cap", async () => {
    const sender = await startSender({ maxFeePerGas: parseGwei("0.0001") });
    await expect(sender.assertFunds({ purpose: "request" })).rejects.toBeInstanceOf(IssuerFeesTooHighError);
  });
});

const fees = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint) =>
  ({ type: "eip1559", maxFeePerGas, maxPriorityFeePerGas }) as const;

describe("replacementFees", () => {
  it("raises both prices by more than a tenth, even if they are tiny", () => {
    for (const price of [0n, 1n, 9n, 10n, 11n, 1_000_000_007n]) {
      const next = replacementFees(fees(price, price), fees(0n, 0n), 10n ** 12n);
      expect(next?.maxFeePerGas).toBeGreaterThan((price * 11n) / 10n);
      expect(next?.maxPriorityFeePerGas).toBeGreaterThan((price * 11n) / 10n);
    }
  });

  it("uses the market price if it is higher", () => {
    expect(replacementFees(fees(100n, 10n), fees(1_000n, 50n), 10_000n)).toEqual(fees(1_000n, 50n));
  });

  it("stops at the cap and returns undefined if a replacement would exceed it", () => {
    expect(replacementFees(fees(100n, 10n), fees(1_000n, 50n), 120n)).toEqual(fees(120n, 50n));
    expect(replacementFees(fees(100n, 10n), fees(1_000n, 50n), 112n)).toBeUndefined();
  });
});
