import { AppRegistryError, didHash, resolverAbi } from "@app-registry/sdk";
import { type Fault, type FaultyRpc, startFaultyRpc } from "@app-registry/test-kit/faultyRpc";
import { createPublicClient, http } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { chain, fixture, useIssuer, wallet } from "../test/support/issuerFixture.ts";
import type { Issuer } from "./issuer.ts";

let rpc: FaultyRpc;
let issuer: Issuer;

useIssuer({ starts: false, once: true });
beforeAll(async () => {
  rpc = await startFaultyRpc(fixture.rpcUrl);
  const transport = http(rpc.url, { batch: true, retryCount: 0, timeout: 10_000 });
  const publicClient = createPublicClient({ transport, pollingInterval: 20 });
  ({ issuer } = await chain.startProcess({ publicClient, receiptTimeout: 400, keepInterval: 50 }));
});
afterAll(() => rpc.close());
afterEach(() => rpc.heal());

/** Summarizes a result: its status, or that the error is retryable. */
async function ask(did: string): Promise<string> {
  try {
    const result = await issuer.verifyAndAttest({ did, connectedAddress: wallet });
    if (result.status !== "failed") return result.status;
    return result.retryable ? "retryable" : result.code;
  } catch (error) {
    if (error instanceof AppRegistryError) return error.retryable ? "retryable" : error.name;
    throw error;
  }
}

/** Lists the transactions that attested a DID. */
const attestedTimes = async (did: string) =>
  (
    await fixture.publicClient.getContractEvents({
      address: chain.deployment.contracts.ResolverWithStore.address,
      abi: resolverAbi,
      eventName: "DIDAttested",
      args: { didHash: didHash(did) },
      fromBlock: 0n,
    })
  ).length;

type Break = Parameters<FaultyRpc["break"]>[0];
const only =
  (name: string, fault: Fault): Break =>
  ({ method }) =>
    method === name ? fault : "pass";
/** Changes each receipt. */
const receipts = (change: (receipt: Record<string, unknown>) => unknown): Break =>
  only("eth_getTransactionReceipt", {
    replace: (result: unknown) => (result ? change(result as Record<string, unknown>) : result),
  });

const goesAwayAfterSending = (): Break => {
  let sent = false;
  return ({ method }) => {
    if (sent) return "drop";
    sent = method === "eth_sendRawTransaction";
    return "pass";
  };
};

const faults: [behavior: string, fault: () => Break, answer: string[]][] = [
  ["is unavailable", () => () => "drop", ["retryable"]],
  ["answers errors", () => () => "error", ["retryable"]],
  ["is slow", () => () => ({ delay: 60 }), ["attested"]],
  ["drops a transaction unseen", () => only("eth_sendRawTransaction", "drop"), ["pending"]],
  ["takes a transaction and loses its answer", () => only("eth_sendRawTransaction", "lose"), ["attested"]],
  ["refuses a transaction", () => only("eth_sendRawTransaction", "error"), ["retryable"]],
  ["goes away once it has a transaction", goesAwayAfterSending, ["pending"]],
  ["never answers for a receipt", () => only("eth_getTransactionReceipt", "drop"), ["pending"]],
  ["hides receipts", () => receipts(() => null), ["pending"]],
  [
    "answers receipts of another transaction",
    () => receipts((receipt) => ({ ...receipt, transactionHash: `0x${"ab".repeat(32)}` })),
    ["pending"],
  ],
  [
    "reports a mined transaction as reverted",
    () => receipts((receipt) => ({ ...receipt, status: "0x0" })),
    ["retryable"],
  ],
  [
    // @threat services: Two requests with one nonce, a killed process, or a transaction without an effect
    "reports a transaction as mined too early",
    () => receipts((receipt) => ({ ...receipt, blockNumber: "0x1" })),
    ["retryable"],
  ],
  [
    "denies having received a transaction",
    () =>
      ({ method, params }) => {
        if (method === "eth_getTransactionByHash" || method === "eth_getTransactionReceipt") {
          return { replace: () => null };
        }
        return method === "eth_getTransactionCount" && params[1] === "pending"
          ? { replace: () => "0x0" }
          : "pass";
      },
    ["pending"],
  ],
];

describe("an issuer whose RPC", () => {
  // @threat services: A host or an RPC endpoint that is down or slow
  it.each(faults)("%s: attests exactly once or fails completely", async (_, fault, answers) => {
    const did = fixture.host.did(wallet);
    const before = await chain.sent();
    rpc.break(fault());
    expect(answers).toContain(await ask(did));
    rpc.heal();
    await expect.poll(() => ask(did), { timeout: 10_000 }).toMatch(/^(already-)?attested$/);
    expect(await attestedTimes(did)).toBe(1);
    expect(await chain.sent()).toBe(before + 1);
  });
});
