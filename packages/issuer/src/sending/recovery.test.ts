import { describe, expect, it } from "vitest";
import {
  account,
  chain,
  nextCall,
  publicClient,
  startSender,
  submission,
  useChain,
  usedNonces,
} from "../../test/support/senders.ts";
import { createMemoryTransactionStore } from "./memoryTransactionStore.ts";
import { IssuerRecoveringError } from "./sendingErrors.ts";
import type { TransactionStore } from "./transactionStore.ts";

const { address } = account;
useChain();

describe("an issuer that is started again without a database", () => {
  const crash = async (store: TransactionStore) => {
    const sender = await startSender({ openStore: async () => store, timeout: 100 });
    await chain().setAutomine(false);
    await sender.send(submission());
    sender.close();
  };

  it("waits for its earlier transactions, because the chain does not show their attestations yet", async () => {
    await crash(createMemoryTransactionStore());
    const again = await startSender({ timeout: 200 });
    await expect(again.recovered()).rejects.toBeInstanceOf(IssuerRecoveringError);
    await chain().mine({ blocks: 1 });
    await again.recovered();
  });

  it("replaces a stuck transaction", async () => {
    await crash(createMemoryTransactionStore());
    const before = await usedNonces();
    const store = createMemoryTransactionStore();
    const again = await startSender({ openStore: async () => store, repriceAfter: 50, timeout: 5_000 });
    const recovering = again.recovered();
    const inPool = async () =>
      (await publicClient.getBlock({ blockTag: "pending", includeTransactions: true })).transactions;
    await expect.poll(async () => (await inPool()).map(({ to }) => to)).toEqual([address.toLowerCase()]);
    await chain().mine({ blocks: 1 });
    await recovering;
    expect(await usedNonces()).toBe(before + 1);
    // Its cost counts towards the spending cap.
    expect(await store.find(`nonce ${before}`)).toMatchObject({ nonce: before });
  });

  it("does not replace a stuck transaction beyond its spending cap", async () => {
    await crash(createMemoryTransactionStore());
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
    const store = createMemoryTransactionStore();
    await crash(store);
    await (await startSender({ openStore: async () => store, timeout: 200 })).recovered();
  });
});
