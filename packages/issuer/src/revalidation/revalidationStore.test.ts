import { didHash, normalizeDid } from "@app-registry/sdk";
import { freePort } from "@app-registry/test-kit/freePort";
import { createDatabase, type PostgresDatabase } from "@app-registry/test-kit/postgres";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { IssuerStoreError } from "../sending/sendingErrors.ts";
import {
  type AttestationKey,
  createCheckJob,
  openRevalidationStore,
  parseJobKey,
  type TrackedAttestation,
} from "./revalidationStore.ts";

let server: PostgresDatabase;
/** Two pools, one for each process. */
let pools: [Pool, Pool];

beforeAll(async () => {
  server = await createDatabase();
  pools = [server.connect(), server.connect()];
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await server.stop();
});

let scopes = 0;
const nextScope = () => `eip155:31337:issuer ${scopes++}`;
const open = (scope = nextScope(), pool = pools[0]) => openRevalidationStore(pool, scope);

const did = normalizeDid("did:web:service.example");
const time = 1_800_000_000_000;
const attestation = (changes: Partial<TrackedAttestation> = {}): TrackedAttestation => ({
  schema: "did-ownership",
  didHash: didHash(did),
  subject: "0x00000000000000000000000000000000000000AA",
  block: 2n ** 60n,
  heldAt: time,
  failedAt: undefined,
  ...changes,
});
const toKey = ({ schema, didHash, subject }: AttestationKey) => ({ schema, didHash, subject });
const second = { subject: "0x00000000000000000000000000000000000000bb" } as const;

describe("a revalidation store", () => {
  it("returns an attestation, with its DID once known", async () => {
    const store = await open();
    expect(await store.find(attestation())).toBeUndefined();
    await store.add(attestation());
    await store.add(attestation({ ...second, failedAt: time - 1 }));
    expect(await store.find(attestation())).toEqual({ ...attestation(), did: undefined });
    expect(await store.count()).toEqual({ attestations: 2, failing: 1, unknownDids: 2 });
    for (let times = 0; times < 2; times++) await store.saveDid(did);
    expect(await store.find(attestation())).toEqual({ ...attestation(), did });
    expect(await store.find(attestation(second))).toEqual({
      ...attestation(second),
      failedAt: time - 1,
      did,
    });
    expect(await store.count()).toEqual({ attestations: 2, failing: 1, unknownDids: 0 });
  });

  it("saves the results of checks, and resets them if the attestation is added again", async () => {
    const store = await open();
    await store.add(attestation());
    const failing = attestation({ failedAt: time + 5, heldAt: time + 1 });
    await store.save(failing);
    expect(await store.find(attestation())).toMatchObject(failing);
    const renewed = attestation({ block: 2n ** 60n + 1n });
    await store.add(renewed);
    expect(await store.find(attestation())).toMatchObject(renewed);
  });

  it("removes a revoked attestation, but not a later one", async () => {
    const store = await open();
    await store.add(attestation());
    expect(await store.remove(attestation(), 2n ** 60n - 1n)).toBe(false);
    expect(await store.find(attestation())).toBeDefined();
    expect(await store.remove(attestation(), 2n ** 60n)).toBe(true);
    expect(await store.find(attestation())).toBeUndefined();
    expect(await store.remove(attestation(), 0n)).toBe(true);
  });

  it("saves no check of a removed attestation", async () => {
    const store = await open();
    await store.save(attestation());
    expect(await store.find(attestation())).toBeUndefined();
  });

  it("lists the other controllers whose latest successful check was before a given time", async () => {
    const store = await open();
    const newcomer = attestation({ ...second, heldAt: time + 10 });
    const dataHash = attestation({ schema: "data-hash", subject: `0x${"22".repeat(32)}` });
    const elsewhere = attestation({ didHash: didHash("did:web:other.example") });
    for (const entry of [attestation(), newcomer, dataHash, elsewhere]) await store.add(entry);
    const news = { didHash: didHash(did), except: newcomer.subject };
    expect(await store.listOthers({ ...news, heldBefore: time })).toEqual([]);
    expect(await store.listOthers({ ...news, heldBefore: time + 10 })).toMatchObject([
      { schema: "did-ownership", didHash: didHash(did), subject: attestation().subject },
    ]);
  });

  it("stores the block of the cursor", async () => {
    const store = await open();
    expect(await store.readCursor()).toBeUndefined();
    for (const block of [7n, 2n ** 60n]) await store.writeCursor(block);
    expect(await store.readCursor()).toBe(2n ** 60n);
  });

  it("is shared by all processes of an issuer and separate per issuer", async () => {
    const scope = nextScope();
    const [one, two] = await Promise.all(pools.map((pool) => open(scope, pool)));
    await one?.saveDid(did);
    await one?.add(attestation());
    await one?.queue.enqueue([createCheckJob(attestation(), time)]);
    expect(await two?.find(attestation())).toEqual({ ...attestation(), did });
    const claimed = await two?.queue.claim({ now: time, until: time + 1 });
    expect(claimed?.job && parseJobKey(claimed.job)).toEqual(toKey(attestation()));
    const another = await open();
    expect((await another.count()).attestations).toBe(0);
    expect(await another.queue.claim({ now: time, until: time + 1 })).toBeUndefined();
    for (const store of [one, two]) {
      const taken = await one?.unlessTaken(async () => store?.unlessTaken(async () => "at the same time"));
      expect(taken).toBeUndefined();
    }
    const failing = one?.unlessTaken(() => Promise.reject(new Error("cut short")));
    await expect(failing).rejects.toThrow("cut short");
    expect(await one?.unlessTaken(async () => "next")).toBe("next");
  });

  it("lets another process run a task once the running one ends", async () => {
    const scope = nextScope();
    const [one, two] = await Promise.all(pools.map((pool) => open(scope, pool)));
    const take = () => two?.unlessTaken(async () => "taken");
    await one?.unlessTaken(async () => {
      expect(await take()).toBeUndefined();
      // End the connection on the server, as if its process was killed, and wait until it is closed.
      await pools[1].query(
        `SELECT pg_terminate_backend(pid, 30000) FROM pg_locks
         WHERE locktype = 'advisory' AND granted AND pid <> pg_backend_pid()
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      expect(await take()).toBe("taken");
    });
  });

  it("reports an unavailable database without revealing details", async () => {
    const away = new Pool({ connectionString: `postgresql://127.0.0.1:${await freePort()}/none` });
    await expect(open(nextScope(), away)).rejects.toBeInstanceOf(IssuerStoreError);
    await away.end();
  });
});
