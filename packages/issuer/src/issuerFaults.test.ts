import { createGuardedFetch } from "@app-registry/outbound";
import type { Deployment } from "@app-registry/sdk";
import { AppRegistryError, didHash, resolverAbi } from "@app-registry/sdk";
import { deployContracts, testAccount, testClients } from "@app-registry/test-kit/deployContracts";
import { type DidHost, startDidHost } from "@app-registry/test-kit/didHost";
import { type Fault, type FaultyRpc, startFaultyRpc } from "@app-registry/test-kit/faultyRpc";
import { freePort } from "@app-registry/test-kit/freePort";
import { type HardhatNode, startHardhatNode } from "@app-registry/test-kit/hardhatNode";
import { createDatabase, type PostgresDatabase } from "@app-registry/test-kit/postgres";
import type { Pool } from "pg";
import { createPublicClient, http, type PublicClient } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createIssuer, type Issuer } from "./issuer.ts";

const account = testAccount(19);
const wallet = testAccount(1).address;

let node: HardhatNode;
let postgres: PostgresDatabase;
let database: Pool;
let host: DidHost;
let rpc: FaultyRpc;
let deployment: Deployment;
let issuer: Issuer;
/** Client of the node itself, without faults. */
let chain: PublicClient;

beforeAll(async () => {
  [node, host, postgres] = await Promise.all([
    startHardhatNode(await freePort()),
    startDidHost(),
    createDatabase(),
  ]);
  database = postgres.connect();
  rpc = await startFaultyRpc(node.rpcUrl);
  deployment = await deployContracts(node.rpcUrl, { issuer: account.address });
  chain = testClients(node.rpcUrl, account).publicClient as PublicClient;
  const transport = http(rpc.url, { batch: true, retryCount: 0, timeout: 10_000 });
  issuer = await createIssuer({
    account,
    deployment,
    publicClient: createPublicClient({ transport, pollingInterval: 20 }),
    guardedFetch: createGuardedFetch({ allowLoopback: true }),
    database,
    allowLoopback: true,
    receiptTimeout: 400,
    keepInterval: 50,
  });
});
afterAll(async () => {
  issuer.close();
  await database.end();
  await Promise.all([rpc.close(), node.stop(), host.close(), postgres.stop()]);
});
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
    await chain.getContractEvents({
      address: deployment.contracts.ResolverWithStore.address,
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
const lie = (change: (receipt: Record<string, unknown>) => unknown): Fault => ({
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
  [
    "hides receipts",
    () =>
      only(
        "eth_getTransactionReceipt",
        lie(() => null),
      ),
    ["pending"],
  ],
  [
    "answers receipts of another transaction",
    () =>
      only(
        "eth_getTransactionReceipt",
        lie((receipt) => ({ ...receipt, transactionHash: `0x${"ab".repeat(32)}` })),
      ),
    ["pending"],
  ],
  [
    "reports a mined transaction as reverted",
    () =>
      only(
        "eth_getTransactionReceipt",
        lie((receipt) => ({ ...receipt, status: "0x0" })),
      ),
    ["retryable"],
  ],
  [
    // @threat services: Two requests with one nonce, a killed process, or a transaction without an effect
    "reports a transaction as mined too early",
    () =>
      only(
        "eth_getTransactionReceipt",
        lie((receipt) => ({ ...receipt, blockNumber: "0x1" })),
      ),
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
    const did = host.did(wallet);
    const before = await chain.getTransactionCount({ address: account.address });
    rpc.break(fault());
    expect(answers).toContain(await ask(did));
    rpc.heal();
    await expect.poll(() => ask(did), { timeout: 10_000 }).toMatch(/^(already-)?attested$/);
    expect(await attestedTimes(did)).toBe(1);
    expect(await chain.getTransactionCount({ address: account.address })).toBe(before + 1);
  });
});
