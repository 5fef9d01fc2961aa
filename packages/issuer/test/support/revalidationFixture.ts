import { createGuardedFetch } from "@app-registry/outbound";
import { type AppRegistryClient, createAppRegistryClient, type Deployment } from "@app-registry/sdk";
import { callAsOwner } from "@app-registry/test-kit/callAsOwner";
import { deployContracts, testAccount, testClients } from "@app-registry/test-kit/deployContracts";
import { type DidHost, startDidHost } from "@app-registry/test-kit/didHost";
import { freePort } from "@app-registry/test-kit/freePort";
import { startHardhatNode } from "@app-registry/test-kit/hardhatNode";
import { createDatabase } from "@app-registry/test-kit/postgres";
import type { Pool } from "pg";
import {
  type Address,
  createClient,
  createTestClient,
  type Hex,
  http,
  numberToHex,
  type PublicClient,
  rpcSchema,
} from "viem";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import {
  type CreateIssuerOptions,
  createIssuer,
  type Issuer,
  type IssuerEvent,
  type Revalidation,
  type RevalidationEvent,
} from "../../src/index.ts";
import { openRevalidationStore, type RevalidationStore } from "../../src/revalidation/revalidationStore.ts";
import { getIssuerScope } from "../../src/sending/broadcast.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const account = testAccount(19);

/** Controller of these tests, and below another wallet. */
export const wallet = testAccount(1).address;
export const another = testAccount(2).address;

/** Chain and host of a test file. */
export let fixture: RevalidationFixture;
/** Deployment of one test, with its own resolver. */
export let chain: Deployed;
/** Process that each test starts with. */
export let process: RevalidatingProcess;
const started: RevalidatingProcess[] = [];

/** Starts a chain and a host for a test file, and a process for each test unless `starts` is false. */
export function useRevalidation({ starts = true } = {}): void {
  beforeAll(async () => {
    fixture = await startRevalidationFixture();
  }, 90_000);
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    chain = await fixture.deploy();
    if (starts) process = await chain.startProcess();
  });
  afterEach(() => {
    for (const { issuer } of started.splice(0)) issuer.close();
  });
}

/** Ends the process and starts another. */
export async function restart(options: Partial<CreateIssuerOptions>): Promise<void> {
  process.issuer.close();
  process = await chain.startProcess(options);
}

/** Opens the store of the issuer's attestations on this test's resolver, as its processes do. */
export async function openAttestations(): Promise<RevalidationStore> {
  const { ResolverWithStore } = chain.deployment.contracts;
  const scope = await getIssuerScope(fixture.publicClient, chain.deployment.chainId, account.address);
  return openRevalidationStore(fixture.database, `${scope} ${ResolverWithStore.address}`);
}

/** Returns true if the wallet controls a DID. */
export const controls = (did: string, controller = wallet): Promise<boolean> =>
  chain.byHand.checkDid({ did, controller });

/** Returns the events of a process with a given name. */
export const told = (event: string, { events } = process): RevalidatingProcess["events"] =>
  events.filter((entry) => entry.event === event);

/** Chain and host with a clock that tests control. */
export type RevalidationFixture = {
  rpcUrl: string;
  publicClient: PublicClient;
  host: DidHost;
  /** Connections to the database of the issuers. */
  database: Pool;
  /**
   * Returns to the chain of the first deployment, without attestations, and empties the database. With options, deploys
   * another resolver. `maxTtl` is in seconds.
   */
  deploy(options?: { maxTtl?: number }): Promise<Deployed>;
  stop(): Promise<void>;
};

export type Deployed = {
  deployment: Deployment;
  /** Returns the chain's time, in Unix milliseconds. */
  now(): number;
  /** Moves the clock and the chain's time forward, by one block unless another number is given. */
  pass(milliseconds: number, blocks?: number): Promise<void>;
  /** Starts a process that attests and revalidates. It ends with the test. */
  startProcess(options?: Partial<CreateIssuerOptions>): Promise<RevalidatingProcess>;
  /** Returns a client that sends from a test account. */
  clientOf(index: number): AppRegistryClient;
  /** Client that sends with the issuer's key, independent of all processes. */
  byHand: AppRegistryClient;
  /** Calls the resolver as its owner. */
  asOwner(call: Parameters<typeof callAsOwner>[2]): Promise<void>;
  /** Returns the number of transactions that the issuer has sent. */
  sent(): Promise<number>;
};

export type RevalidatingProcess = {
  issuer: Issuer;
  revalidation: Revalidation;
  /** Reported events, oldest first. */
  events: (IssuerEvent | RevalidationEvent)[];
  attest(did: string, wallet: Address): Promise<void>;
  /** Runs a pass at each `step` milliseconds at which a check is due, for `duration` milliseconds. */
  passes(duration: number, step: number): Promise<void>;
  /** Runs such passes until a check has the outcome, for at most two months. */
  passesUntil(outcome: string, step: number): Promise<void>;
  /** Lists the outcomes of the checks. */
  outcomes(): string[];
};

async function startRevalidationFixture(): Promise<RevalidationFixture> {
  const [node, host, postgres] = await Promise.all([
    startHardhatNode(await freePort()),
    startDidHost(),
    createDatabase(),
  ]);
  const database = postgres.connect();
  const { rpcUrl } = node;
  const publicClient = testClients(rpcUrl, account).publicClient as PublicClient;
  const deployed = await deployContracts(rpcUrl, { issuer: account.address });
  const { snapshot, revert } = createTestClient({ mode: "hardhat", transport: http(rpcUrl) });
  let fresh = await snapshot();
  return {
    rpcUrl,
    publicClient,
    host,
    database,
    async deploy(options) {
      await database.query("drop schema if exists app_registry_issuer cascade");
      if (options) {
        const other = await deployContracts(rpcUrl, { issuer: account.address, ...options });
        return around(rpcUrl, publicClient, other, database);
      }
      await revert({ id: fresh });
      // A chain returns to a snapshot only once.
      fresh = await snapshot();
      return around(rpcUrl, publicClient, deployed, database);
    },
    async stop() {
      await database.end();
      await Promise.all([node.stop(), host.close(), postgres.stop()]);
    },
  };
}

/** RPC methods that mine a block, optionally at a Unix time in seconds, or many blocks. */
type Mining = [
  { Method: "evm_mine"; Parameters: [timestamp?: number]; ReturnType: string },
  { Method: "hardhat_mine"; Parameters: [blocks: Hex]; ReturnType: boolean },
];

async function around(
  rpcUrl: string,
  publicClient: PublicClient,
  deployment: Deployment,
  database: Pool,
): Promise<Deployed> {
  const chain = createClient({ transport: http(rpcUrl), rpcSchema: rpcSchema<Mining>() });
  const chainTime = async () => Number((await publicClient.getBlock()).timestamp) * 1_000;
  let time = await chainTime();
  const now = () => time;
  const pass = async (milliseconds: number, blocks = 1) => {
    if (blocks > 1) await chain.request({ method: "hardhat_mine", params: [numberToHex(blocks - 1)] });
    time += milliseconds;
    const timestamp = Math.floor(time / 1_000);
    const isBehind = timestamp * 1_000 > (await chainTime());
    await chain.request({ method: "evm_mine", params: isBehind ? [timestamp] : [] });
  };
  const createRegistryClient = (index: number) =>
    createAppRegistryClient({ deployment, ...testClients(rpcUrl, testAccount(index)) });
  return {
    deployment,
    now,
    pass,
    clientOf: createRegistryClient,
    byHand: createRegistryClient(19),
    asOwner: (call) => callAsOwner(rpcUrl, deployment, call),
    sent: () => publicClient.getTransactionCount({ address: account.address }),
    startProcess: (options = {}) => startProcess({ deployment, publicClient, database, now, pass }, options),
  };
}

async function startProcess(
  chain: Pick<Deployed, "deployment" | "now" | "pass"> & {
    publicClient: PublicClient;
    database: Pool;
  },
  options: Partial<CreateIssuerOptions>,
): Promise<RevalidatingProcess> {
  const { deployment, publicClient, database, now, pass } = chain;
  const events: RevalidatingProcess["events"] = [];
  const issuer = await createIssuer({
    account,
    deployment,
    publicClient,
    database,
    guardedFetch: createGuardedFetch({ allowLoopback: true, timeout: 10_000 }),
    allowLoopback: true,
    receiptTimeout: 5_000,
    onEvent: (event) => void events.push(event),
    now,
    ...options,
    revalidation: options.revalidation ?? {},
  });
  const { revalidation } = issuer;
  if (!revalidation) throw new Error("The issuer revalidates nothing");
  /**
   * Moves the clock forward in steps, and runs a pass at the first step, at each step at which a job is due, and at the
   * last step. Ends early if `isDone` returns true after a pass.
   */
  const run = async (duration: number, step: number, isDone = () => false): Promise<boolean> => {
    let dueAt = now();
    for (const end = now() + duration; now() < end; ) {
      const steps = Math.max(1, Math.ceil((Math.min(dueAt, end) - now()) / step));
      await pass(Math.min(steps * step, end - now()));
      await revalidation.runDue();
      if (isDone()) return true;
      const { rows } = await (options.database ?? database).query(
        "select min(due_at) as due from app_registry_issuer.queue_job",
      );
      const [first] = rows as { due: number | null }[];
      dueAt = first?.due ?? end;
    }
    return false;
  };
  const outcomes = (): string[] => events.flatMap((event) => ("outcome" in event ? event.outcome : []));
  const process: RevalidatingProcess = {
    issuer,
    revalidation,
    events,
    async attest(did, connectedAddress) {
      const { status, ...rest } = await issuer.verifyAndAttest({ did, connectedAddress });
      if (status !== "attested" && status !== "waiting")
        throw new Error(`${status}: ${JSON.stringify(rest)}`);
    },
    passes: async (duration, step) => void (await run(duration, step)),
    async passesUntil(outcome, step) {
      const before = outcomes().length;
      if (await run(60 * DAY, step, () => outcomes().slice(before).includes(outcome))) return;
      throw new Error(`No check said ${outcome}, but: ${outcomes().slice(before)}`);
    },
    outcomes,
  };
  started.push(process);
  return process;
}
