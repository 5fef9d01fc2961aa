import { createGuardedFetch } from "@app-registry/outbound";
import { createAppRegistryClient, type Deployment } from "@app-registry/sdk";
import { callAsOwner } from "@app-registry/test-kit/callAsOwner";
import { deployContracts, testAccount, testClients } from "@app-registry/test-kit/deployContracts";
import { startDidHost } from "@app-registry/test-kit/didHost";
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

/** Chain, database and host of all test files in a worker. */
export let fixture: IssuerFixture;
/** Empty deployment of a test, or of a test file. */
export let chain: Deployed;
/** Process that each test, or test file, starts with. */
export let process: IssuerProcess;
const started: Issuer[] = [];
let shared: Promise<IssuerFixture> | undefined;

/** Returns the chain, database and host that all test files in a worker share. They end with the run. */
export function sharedFixture(): Promise<IssuerFixture> {
  shared ??= startIssuerFixture();
  return shared;
}

/**
 * Gives each test an empty deployment, and a process unless `starts` is false.
 *
 * @param once True if all tests of the file share the deployment and the process.
 */
export function useIssuer({ starts = true, once = false } = {}): void {
  const [before, after] = once ? [beforeAll, afterAll] : [beforeEach, afterEach];
  beforeAll(async () => {
    fixture = await sharedFixture();
  });
  before(async () => {
    chain = await fixture.deploy();
    if (starts) process = await chain.startProcess();
  });
  after(() => {
    for (const issuer of started.splice(0)) issuer.close();
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
export const told = (event: string, { events } = process): IssuerProcess["events"] =>
  events.filter((entry) => entry.event === event);

/** Chain, host and database of the issuers. */
export type IssuerFixture = Awaited<ReturnType<typeof startIssuerFixture>>;
/** Deployment with a clock that tests control. */
export type Deployed = Awaited<ReturnType<IssuerFixture["deploy"]>>;
export type IssuerProcess = Awaited<ReturnType<typeof startProcess>>;

async function startIssuerFixture() {
  const [{ rpcUrl }, host, postgres] = await Promise.all([
    startHardhatNode(await freePort()),
    startDidHost(),
    createDatabase(),
  ]);
  const database = postgres.connect();
  const publicClient = testClients(rpcUrl, account).publicClient as PublicClient;
  const deployed = await deployContracts(rpcUrl, { issuer: account.address });
  const node = createTestClient({ mode: "hardhat", transport: http(rpcUrl) });
  const { timestamp } = await publicClient.getBlock();
  let fresh = await node.snapshot();
  return {
    rpcUrl,
    publicClient,
    host,
    database,
    /** Returns to the chain of the deployment, without attestations, and empties the database. */
    async deploy() {
      await database.query("drop schema if exists app_registry_issuer cascade");
      await node.revert({ id: fresh });
      // A chain returns to a snapshot only once.
      fresh = await node.snapshot();
      // The chain's clock would add the real time since the snapshot to the next block.
      await node.setNextBlockTimestamp({ timestamp: timestamp + 1n });
      await node.mine({ blocks: 1 });
      return around(rpcUrl, publicClient, deployed, database);
    },
  };
}

/** RPC methods that mine a block, optionally at a Unix time in seconds, or many blocks. */
type Mining = [
  { Method: "evm_mine"; Parameters: [timestamp?: number]; ReturnType: string },
  { Method: "hardhat_mine"; Parameters: [blocks: Hex]; ReturnType: boolean },
];

async function around(rpcUrl: string, publicClient: PublicClient, deployment: Deployment, database: Pool) {
  const chain = createClient({ transport: http(rpcUrl), rpcSchema: rpcSchema<Mining>() });
  const chainTime = async () => Number((await publicClient.getBlock()).timestamp) * 1_000;
  let time = await chainTime();
  /** Returns the chain's time, in Unix milliseconds. */
  const now = () => time;
  /** Moves the clock and the chain's time forward, by one block unless another number is given. */
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
    /** Returns a client that sends from a test account. */
    clientOf: createRegistryClient,
    /** Client that sends with the issuer's key, independent of all processes. */
    byHand: createRegistryClient(19),
    /** Calls the resolver as its owner. */
    asOwner: (call: Parameters<typeof callAsOwner>[2]) => callAsOwner(rpcUrl, deployment, call),
    /** Returns the number of transactions that the issuer has sent. */
    sent: () => publicClient.getTransactionCount({ address: account.address }),
    /** Starts a process that attests and revalidates. It ends with the test. */
    startProcess: (options: Partial<CreateIssuerOptions> = {}) =>
      startProcess({ deployment, publicClient, database, now, pass }, options),
  };
}

async function startProcess(
  {
    now,
    pass,
    ...chain
  }: Pick<CreateIssuerOptions, "deployment" | "publicClient" | "database"> & {
    now(): number;
    pass(milliseconds: number): Promise<void>;
  },
  options: Partial<CreateIssuerOptions>,
) {
  const events: (IssuerEvent | RevalidationEvent)[] = [];
  const issuer = await createIssuer({
    account,
    ...chain,
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
      const { rows } = await (options.database ?? chain.database).query(
        "select min(due_at) as due from app_registry_issuer.queue_job",
      );
      const [first] = rows as { due: number | null }[];
      dueAt = first?.due ?? end;
    }
    return false;
  };
  const outcomes = (): string[] => events.flatMap((event) => ("outcome" in event ? event.outcome : []));
  started.push(issuer);
  return {
    issuer,
    revalidation,
    /** Reported events, oldest first. */
    events,
    async attest(did: string, connectedAddress: Address) {
      const { status, ...rest } = await issuer.verifyAndAttest({ did, connectedAddress });
      if (status !== "attested" && status !== "waiting")
        throw new Error(`${status}: ${JSON.stringify(rest)}`);
    },
    /** Runs a pass at each `step` milliseconds at which a check is due, for `duration` milliseconds. */
    passes: async (duration: number, step: number) => void (await run(duration, step)),
    /** Runs such passes until a check has the outcome, for at most two months. */
    async passesUntil(outcome: string, step: number) {
      const before = outcomes().length;
      if (await run(60 * DAY, step, () => outcomes().slice(before).includes(outcome))) return;
      throw new Error(`No check said ${outcome}, but: ${outcomes().slice(before)}`);
    },
    /** Lists the outcomes of the checks. */
    outcomes,
  };
}
