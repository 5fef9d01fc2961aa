import { setTimeout as sleep } from "node:timers/promises";
import { testAccount, testClients } from "@app-registry/test-kit/deployContracts";
import { eventually } from "@app-registry/test-kit/eventually";
import { type FaultyRpc, startFaultyRpc } from "@app-registry/test-kit/faultyRpc";
import { createDatabase, type PostgresDatabase } from "@app-registry/test-kit/postgres";
import type { Pool } from "pg";
import type { PublicClient } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  another,
  chain,
  controls,
  DAY,
  fixture,
  HOUR,
  type IssuerProcess,
  MINUTE,
  useIssuer,
  wallet,
} from "../../test/support/issuerFixture.ts";

let postgres: PostgresDatabase;
let running: { process: IssuerProcess; pool: Pool }[] = [];

useIssuer({ starts: false });
beforeEach(async () => {
  postgres = await createDatabase();
});
afterEach(async () => {
  for (const { process, pool } of running.splice(0)) {
    process.issuer.close();
    await pool.end();
  }
  await postgres.stop();
});

/** Starts a process with its own connections to the shared database. */
async function start(): Promise<IssuerProcess> {
  const pool = postgres.connect();
  const process = await chain.startProcess({ database: pool });
  running.push({ process, pool });
  return process;
}

/** Ends the passes and the connections of a process, with everything in its memory. */
async function end(process: IssuerProcess): Promise<void> {
  const entry = running.find((candidate) => candidate.process === process);
  running = running.filter((candidate) => candidate !== entry);
  process.issuer.close();
  await entry?.pool.end();
}

describe("processes with one PostgreSQL", () => {
  it("revoke at the second failure even if the process that saw the first one has ended", async () => {
    const first = await start();
    const did = fixture.host.did(wallet);
    await first.attest(did, wallet);
    fixture.host.name(did, another);
    await first.passesUntil("fails", 6 * HOUR);
    await end(first);

    const second = await start();
    await second.passes(50 * MINUTE, 10 * MINUTE);
    expect(await controls(did)).toBe(true);
    await second.passes(25 * MINUTE, 5 * MINUTE);
    expect(second.outcomes()).toEqual(["fails"]);
    expect(await controls(did)).toBe(false);
  });

  it("run one check and send one revocation together", async () => {
    const processes = await Promise.all([start(), start(), start()]);
    const [first] = processes;
    const did = fixture.host.did(wallet);
    await first?.attest(did, wallet);
    fixture.host.name(did, another);
    const [sent, asked] = [await chain.sent(), fixture.host.requests().length];
    for (const end = chain.now() + 30 * DAY; chain.now() < end; ) {
      await chain.pass(6 * HOUR);
      await Promise.all(processes.map(({ revalidation }) => revalidation.runDue()));
    }
    expect(await controls(did)).toBe(false);
    expect(await chain.sent()).toBe(sent + 1);
    expect(fixture.host.requests().length - asked).toBe(2);
    const revoked = processes
      .flatMap(({ events }) => events)
      .filter(({ event }) => event === "attestation revoked");
    expect(revoked).toHaveLength(1);
  });
});

describe("a process whose database was lost", () => {
  it("checks registered DIDs again after reading the chain, and counts the unknown ones", async () => {
    const first = await chain.startProcess();
    const [registered, other] = [fixture.host.did(wallet), fixture.host.did(wallet)];
    await first.attest(registered, wallet);
    await first.attest(other, wallet);
    const publisher = chain.clientOf(1);
    const hash = await publisher.mint({
      did: registered,
      interfaces: 1,
      dataUrl: "https://service.example/1.0.0.json",
      dataHash: `0x${"11".repeat(32)}`,
      dataHashAlgorithm: 0,
      version: { major: 1, minor: 0, patch: 0 },
      traitHashes: [],
      metadataJson: "",
    });
    await publisher.waitForReceipt({ hash });
    first.issuer.close();

    // Without the database of the first process.
    const second = await start();
    await second.passes(30 * DAY, DAY);
    expect(second.events).toMatchObject([
      { event: "attestation checked", did: registered, outcome: "holds" },
    ]);
    expect(await second.revalidation.count()).toMatchObject({ attestations: 2, unknownDids: 1 });
    await second.issuer.verifyAndAttest({ did: other, connectedAddress: wallet });
    expect(await second.revalidation.count()).toMatchObject({ unknownDids: 0 });
  });
});

/** Interval between two passes while the chain is unavailable, in milliseconds. */
const PASS_INTERVAL = 20;

describe("an unavailable chain", () => {
  let rpc: FaultyRpc;
  let process: IssuerProcess;
  beforeAll(async () => {
    rpc = await startFaultyRpc(fixture.rpcUrl);
  });
  afterAll(() => rpc.close());
  beforeEach(async () => {
    const publicClient = testClients(rpc.url, testAccount(19)).publicClient as PublicClient;
    process = await chain.startProcess({ publicClient, revalidation: { passInterval: PASS_INTERVAL } });
  });
  afterEach(() => process.issuer.close());

  it("causes no change and no loss of checks", async () => {
    const did = fixture.host.did(wallet);
    await process.attest(did, wallet);
    fixture.host.name(did, another);
    await process.passesUntil("fails", 6 * HOUR);
    rpc.break(() => "drop");
    await chain.pass(2 * HOUR);
    await expect(process.revalidation.runDue()).rejects.toMatchObject({ retryable: true });
    rpc.heal();
    expect(await controls(did)).toBe(true);
    await process.revalidation.runDue();
    expect(await controls(did)).toBe(false);
  });

  it("is reported once, even if many passes fail", async () => {
    let dropped = 0;
    rpc.break(async () => {
      // The next passes become due before this one ends, and are skipped.
      await sleep(3 * PASS_INTERVAL);
      dropped += 1;
      return "drop" as const;
    });
    process.revalidation.start();
    await eventually(() => expect(dropped).toBeGreaterThan(20));
    rpc.heal();
    expect(process.events).toMatchObject([{ event: "revalidation interrupted" }]);
  });
});
