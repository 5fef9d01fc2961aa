import { describe, expect, it } from "vitest";
import {
  chain,
  publicClient,
  rpc,
  startSender,
  submission,
  useChain,
  usedNonces,
} from "../../test/support/senders.ts";
import { TransactionRefusedError } from "./sendingErrors.ts";

useChain();

describe("a node that rejects a transaction", () => {
  it("leaves no open transaction, so that the call can be sent again", async () => {
    const sender = await startSender();
    rpc.break(({ method }) => (method === "eth_sendRawTransaction" ? "error" : "pass"));
    const call = submission();
    await expect(sender.send(call)).rejects.toBeInstanceOf(TransactionRefusedError);
    expect(await sender.readFunds()).toMatchObject({ openTransactions: 0 });
    rpc.heal();
    expect((await sender.send(call)).status).toBe("mined");
  });

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
