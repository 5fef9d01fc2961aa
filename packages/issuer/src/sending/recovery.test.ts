import { describe, expect, it } from "vitest";
import {
  account,
  chain,
  nextCall,
  nextStore,
  publicClient,
  startSender,
  submission,
  useChain,
  usedNonces,
} from "../../test/support/senders.ts";
import { getIssuerScope } from "./broadcast.ts";
import { IssuerRecoveringError } from "./sendingErrors.ts";

const { address } = account;
useChain();

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
