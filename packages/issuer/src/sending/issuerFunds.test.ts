import { parseEther, parseGwei } from "viem";
import { describe, expect, it } from "vitest";
import {
  account,
  chain,
  events,
  publicClient,
  startSender,
  submission,
  useChain,
  usedNonces,
} from "../../test/support/senders.ts";
import { IssuerFeesTooHighError, IssuerOutOfFundsError } from "./sendingErrors.ts";

const { address } = account;
useChain();

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
