import { createAppRegistryClient, type Deployment, type PreparedCall, resolverAbi } from "@app-registry/sdk";
import { testAccount } from "@app-registry/test-kit/deployContracts";
import { type FaultyRpc, startFaultyRpc } from "@app-registry/test-kit/faultyRpc";
import {
  createPublicClient,
  createTestClient,
  http,
  keccak256,
  type PublicClient,
  stringToHex,
  type TestClient,
} from "viem";
import { hardhat } from "viem/chains";
import { afterEach, beforeAll } from "vitest";
import type { IssuerEvent } from "../../src/sending/broadcast.ts";
import { createSender, type Sender, type SenderOptions } from "../../src/sending/sender.ts";
import type { Spender } from "../../src/sending/spendingCap.ts";
import type { Submission } from "../../src/sending/submitTransaction.ts";
import { openTransactionStore, type TransactionStore } from "../../src/sending/transactionStore.ts";
import { type IssuerFixture, sharedFixture } from "./issuerFixture.ts";

/** Issuer of these tests. */
export const account = testAccount(19);
const { address } = account;

let fixture: IssuerFixture;
let deployment: Deployment;
let names = 0;
const senders: Sender[] = [];

/** RPC of every sender, which can simulate faults. */
export let rpc: FaultyRpc;
/** Client of the node itself, without faults. */
export let publicClient: PublicClient;
/** Events of the senders of a test. */
export const events: IssuerEvent[] = [];
export const rpcUrl = (): string => fixture.rpcUrl;

/** Gives a test file an empty deployment. Restores mining after each test. */
export function useChain(): void {
  beforeAll(async () => {
    fixture = await sharedFixture();
    ({ deployment } = await fixture.deploy());
    ({ publicClient } = fixture);
    rpc ??= await startFaultyRpc(fixture.rpcUrl);
  });
  afterEach(async () => {
    for (const sender of senders.splice(0)) sender.close();
    events.splice(0);
    rpc.heal();
    await chain().setAutomine(true);
    await chain().mine({ blocks: 1 });
  });
}

export const chain = (): TestClient =>
  createTestClient({ chain: hardhat, mode: "hardhat", transport: http(fixture.rpcUrl) });

/** Returns a call that attests a different DID each time. */
export const nextCall = (expiresAt = 0n): PreparedCall => ({
  address: deployment.contracts.ResolverWithStore.address,
  abi: resolverAbi,
  functionName: "attestDID",
  args: [keccak256(stringToHex(`name ${names++}`)), address, expiresAt],
});
export const submission = (call = nextCall(), spender: Spender = { purpose: "request" }): Submission => ({
  key: String(call.args[0]),
  call,
  readAt: 0n,
  spender,
});
/** Returns how often the statement of each submission was attested. */
export async function attestedTimes(submissions: readonly Submission[]): Promise<number[]> {
  const events = await publicClient.getContractEvents({
    address: deployment.contracts.ResolverWithStore.address,
    abi: resolverAbi,
    eventName: "DIDAttested",
    fromBlock: 0n,
    strict: true,
  });
  return submissions.map(({ key }) => events.filter(({ args }) => args.didHash === key).length);
}

export const usedNonces = (): Promise<number> => publicClient.getTransactionCount({ address });
export const getNonce = async (hash: `0x${string}`): Promise<number> =>
  (await publicClient.getTransaction({ hash })).nonce;

type OpenStore = (scope: string) => Promise<TransactionStore>;

/** Returns an empty store that outlives the senders that open it. */
export function nextStore(): OpenStore {
  const name = `run ${names++}`;
  return (scope) => openTransactionStore(fixture.database, `${scope} ${name}`);
}

/** Starts a sender, by default with its own store. `timeout` is the time to wait for a receipt, in milliseconds. */
export async function startSender(
  options: SenderOptions & { openStore?: OpenStore; timeout?: number } = {},
): Promise<Sender> {
  const transport = http(rpc.url, { retryCount: 0, timeout: 10_000, batch: true });
  const client = createPublicClient({ chain: hardhat, transport, pollingInterval: 20 }) as PublicClient;
  const { timeout: receiptTimeout = 5_000, openStore = nextStore() } = options;
  const sender = await createSender({
    keepInterval: 50,
    onEvent: (event) => void events.push(event),
    ...options,
    openStore,
    client: createAppRegistryClient({ deployment, publicClient: client }),
    publicClient: client,
    account,
    issuer: address,
    chainId: hardhat.id,
    receiptTimeout,
  });
  senders.push(sender);
  return sender;
}
