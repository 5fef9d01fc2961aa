import { parseGwei } from "viem";
import { describe, expect, it } from "vitest";
import {
  account,
  attestedTimes,
  chain,
  events,
  nextCall,
  nextStore,
  publicClient,
  startSender,
  submission,
  useChain,
} from "../../test/support/senders.ts";
import { readMarketFees } from "./issuerTransaction.ts";
import { ClientSpendingCapError, IssuerSpendingCapError } from "./sendingErrors.ts";
import type { Spender } from "./spendingCap.ts";
import { ATTESTATION_GAS } from "./submitTransaction.ts";

const { address } = account;
useChain();

const by = (client: string): Spender => ({ purpose: "request", client });
/** Returns the amount that the issuer reserves for a number of attestations at the current price, in wei. */
const computeCost = async (attestations: bigint) =>
  attestations * ATTESTATION_GAS * (await readMarketFees(publicClient)).maxFeePerGas;

describe("spending on one client", () => {
  // @threat services: Requests that spend the issuer's cap, or leave nothing to revoke with
  it("stays within its share with concurrent requests to two processes, while others are served", async () => {
    const clientSpendingCap = await computeCost(3n);
    const openStore = nextStore();
    const options = { openStore, spendingCap: 100n * clientSpendingCap, clientSpendingCap };
    const processes = await Promise.all([startSender(options), startSender(options)]);
    const balance = await publicClient.getBalance({ address });
    const submissions = Array.from({ length: 200 }, () => submission(nextCall(), by("greedy")));
    const outcomes = await Promise.allSettled(
      submissions.map((one, index) => processes[index % 2]?.send(one)),
    );
    const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    const sent = outcomes.length - refused.length;
    expect(sent).toBeGreaterThanOrEqual(3);
    expect(sent).toBeLessThan(20);
    for (const error of refused) {
      expect(error).toBeInstanceOf(ClientSpendingCapError);
      expect(error).toMatchObject({ retryable: true });
      expect(error.retryAfter).toBeGreaterThan(3_500);
    }
    expect(balance - (await publicClient.getBalance({ address }))).toBeLessThanOrEqual(clientSpendingCap);
    const attested = outcomes.map(({ status }) => (status === "fulfilled" ? 1 : 0));
    expect(await attestedTimes(submissions)).toEqual(attested);
    for (const process of processes) {
      await expect(process.assertFunds(by("greedy"))).rejects.toBeInstanceOf(ClientSpendingCapError);
      await process.assertFunds(by("other"));
      expect(await process.send(submission(nextCall(), by("other")))).toMatchObject({ status: "mined" });
    }
  });

  // @threat services: Requests that spend the issuer's cap, or leave nothing to revoke with
  it("does not include transactions that another client requested first", async () => {
    // Stop mining, so that no block changes the price.
    await chain().setAutomine(false);
    // This suffices for one attestation, which uses about half of the gas of the check.
    const clientSpendingCap = (await computeCost(2n)) / 3n;
    const options = { openStore: nextStore(), spendingCap: await computeCost(100n), clientSpendingCap };
    const sender = await startSender(options);
    const own = sender.send(submission(nextCall(), by("greedy")));
    await expect.poll(async () => (await sender.readFunds()).openTransactions).toBe(1);
    await expect(sender.send(submission(nextCall(), by("greedy")))).rejects.toBeInstanceOf(
      ClientSpendingCapError,
    );
    const call = nextCall();
    const first = sender.send(submission(call, by("first")));
    await expect.poll(async () => (await sender.readFunds()).openTransactions).toBe(2);
    const [joined, resumed] = [
      sender.send(submission(call, by("greedy"))),
      sender.resume(submission(call).key),
    ];
    await chain().mine({ blocks: 1 });
    expect(await own).toMatchObject({ status: "mined" });
    const { hash } = await first;
    expect(await joined).toMatchObject({ status: "mined", hash });
    expect(await resumed).toMatchObject({ status: "mined", hash });
    await expect(sender.assertFunds(by("first"))).rejects.toBeInstanceOf(ClientSpendingCapError);
  });

  // @threat services: Requests that spend the issuer's cap, or leave nothing to revoke with
  it("includes the price of a replacement, which is not limited by the share of the client", async () => {
    await chain().setAutomine(false);
    await chain().setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei("1") });
    await chain().mine({ blocks: 1 });
    const openStore = nextStore();
    const clientSpendingCap = 2n * (await computeCost(1n));
    const caps = { spendingCap: await computeCost(1_000n), clientSpendingCap };
    const sender = await startSender({ openStore, repriceAfter: 60, timeout: 60_000, ...caps });
    const stuck = sender.send(submission(nextCall(), by("client")));
    await expect.poll(async () => (await sender.readFunds()).openTransactions).toBe(1);
    await sender.assertFunds(by("client"));
    const behind = sender.send(submission(nextCall(), by("other")));
    const highest = () =>
      events.reduce(
        (price, event) =>
          event.event === "transaction repriced" && BigInt(event.maxFeePerGas) > price
            ? BigInt(event.maxFeePerGas)
            : price,
        0n,
      );
    // An attestation uses more than half of the gas of the check.
    await expect.poll(() => highest() * (ATTESTATION_GAS / 2n) > clientSpendingCap).toBe(true);
    await expect(sender.assertFunds(by("client"))).rejects.toBeInstanceOf(ClientSpendingCapError);
    await chain().mine({ blocks: 1 });
    expect(await stuck).toMatchObject({ status: "mined" });
    expect(await behind).toMatchObject({ status: "mined" });
  });

  // @threat services: Requests that spend the issuer's cap, or leave nothing to revoke with
  it("leaves a part of the cap for renewals and revocations", async () => {
    await chain().setAutomine(false);
    const spendingCap = await computeCost(8n);
    const options = { spendingCap, clientSpendingCap: spendingCap, timeout: 1 };
    const sender = await startSender(options);
    const exhaust = async (spender: Spender) => {
      for (let sent = 0; sent < 60; sent++) {
        const error = await sender.send(submission(nextCall(), spender)).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        if (!error) continue;
        expect(error).toBeInstanceOf(IssuerSpendingCapError);
        return sent;
      }
      throw new Error("The cap held nothing up");
    };
    expect(await exhaust(by("one of many"))).toBeGreaterThan(6);
    await expect(sender.assertFunds({ purpose: "request" })).rejects.toBeInstanceOf(IssuerSpendingCapError);
    expect(await exhaust({ purpose: "renewal" })).toBeGreaterThan(0);
    expect(await exhaust({ purpose: "revocation" })).toBeGreaterThan(0);
  });
});
