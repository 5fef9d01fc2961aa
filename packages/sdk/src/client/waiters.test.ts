import { registerApp, testRegistry } from "@app-registry/test-kit/testRegistry";
import { createWalletClient, http } from "viem";
import { describe, expect, inject, it } from "vitest";
import { TimeLimitError, withTimeLimit } from "../errors/networkErrors.ts";

const never = () => new Promise<never>(() => undefined);

describe("withTimeLimit", () => {
  it("returns the result if it is ready in time", async () => {
    expect(await withTimeLimit("It", 1000, async () => 7)).toBe(7);
  });

  it("rejects with the name of the host and aborts the signal when time is up", async () => {
    let signal: AbortSignal | undefined;
    const waiting = withTimeLimit("The host", 20, (given) => {
      signal = given;
      return never();
    });
    await expect(waiting).rejects.toThrow("The host did not respond in time.");
    expect(signal?.reason).toBeInstanceOf(TimeLimitError);
  });

  it("rejects with the error of the function", async () => {
    const failure = new Error("failed");
    await expect(withTimeLimit("It", 1000, () => Promise.reject(failure))).rejects.toBe(failure);
  });
});

describe("waitForReceipt", () => {
  it("rejects with the reason if a transaction reverted", async () => {
    const registry = await testRegistry();
    const { publisher, chain } = registry;
    const { did } = await registerApp(registry);
    const call = publisher.prepareUpdateStatus({ did, major: 1, status: 1 });
    // Two equal transactions in one block: the second one was valid when it was sent.
    const wallet = createWalletClient({ account: publisher.account, transport: http(inject("rpcUrl")) });
    await chain.setAutomine(false);
    await publisher.updateStatus({ did, major: 1, status: 1 });
    const hash = await wallet.writeContract({ ...call, chain: null, gas: 1_000_000n });
    await chain.mine({ blocks: 1 });
    await chain.setAutomine(true);
    const waiting = publisher.waitForReceipt({ hash });
    await expect(waiting).rejects.toMatchObject({
      name: "TransactionRevertedError",
      hash,
      cause: { errorName: "StatusUnchanged" },
      shortMessage: expect.stringContaining("already has status Deprecated"),
    });
  });

  it("rejects if another transaction with the same nonce is mined instead", async () => {
    const registry = await testRegistry();
    const { publisher, chain } = registry;
    const { did } = await registerApp(registry);
    const wallet = createWalletClient({ account: publisher.account, transport: http(inject("rpcUrl")) });
    await chain.setAutomine(false);
    const hash = await publisher.updateStatus({ did, major: 1, status: 1 });
    const { nonce, maxFeePerGas = 0n } = await chain.getTransaction({ hash });
    const waiting = publisher.waitForReceipt({ hash });
    const rejected = expect(waiting).rejects.toMatchObject({ name: "TransactionRevertedError", hash });
    // Let the waiter read the transaction, as it does when a person cancels it in the wallet.
    await new Promise((resolve) => setTimeout(resolve, 300));
    const fees = { maxFeePerGas: maxFeePerGas * 3n, maxPriorityFeePerGas: maxFeePerGas * 2n };
    await wallet.sendTransaction({ to: publisher.account.address, chain: null, nonce, ...fees });
    await chain.mine({ blocks: 1 });
    await chain.setAutomine(true);
    await rejected;
  });

  it("rejects with a retryable error if there is no receipt in time", async () => {
    const { publisher } = await testRegistry();
    const hash = `0x${"ab".repeat(32)}` as const;
    const waiting = publisher.waitForReceipt({ hash, timeoutMs: 200 });
    await expect(waiting).rejects.toMatchObject({ name: "ReceiptTimeoutError", retryable: true });
  });

  it("waits for the requested number of confirmations", async () => {
    const registry = await testRegistry();
    const { publisher, chain } = registry;
    const { did } = await registerApp(registry);
    const hash = await publisher.updateStatus({ did, major: 1, status: 2 });
    const waiting = publisher.waitForReceipt({ hash, confirmations: 3 });
    await chain.mine({ blocks: 2 });
    const { blockNumber } = await waiting;
    expect(await chain.getBlockNumber()).toBeGreaterThanOrEqual(blockNumber + 2n);
  });
});
