import { didHash, normalizeDid } from "@app-registry/sdk";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../sdk/test/support/freePort.ts";
import { createDatabase, type PostgresDatabase } from "../../../sdk/test/support/postgres.ts";
import { IssuerStoreError } from "../sending/sendingErrors.ts";
import { createMemoryRevalidationStore } from "./memoryRevalidationStore.ts";
import { createPostgresRevalidationStore } from "./postgresRevalidationStore.ts";
import type { RememberedAttestation } from "./rememberedAttestation.ts";
import type { RevalidationStore } from "./revalidationStore.ts";

let server: PostgresDatabase;
/** Two pools, as two processes have them. */
let pools: [Pool, Pool];

beforeAll(async () => {
  server = await createDatabase();
  pools = [server.connect(), server.connect()];
}, 120_000);
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await server.stop();
});

let scopes = 0;
const nextScope = () => `eip155:31337:issuer ${scopes++}`;
const openPostgres = (scope = nextScope(), pool = pools[0]) => createPostgresRevalidationStore(pool)(scope);

const did = normalizeDid("did:web:service.example");
const day = 86_400_000;
const time = 1_800_000_000_000;
const attestation = (changes: Partial<RememberedAttestation> = {}): RememberedAttestation => ({
  schema: "did-ownership",
  didHash: didHash(did),
  subject: "0x00000000000000000000000000000000000000AA",
  block: 2n ** 60n,
  heldAt: time,
  failedAt: undefined,
  unanswered: 0,
  nextCheckAt: time + day,
  ...changes,
});
const second = { subject: "0x00000000000000000000000000000000000000bb" } as const;

describe.each([
  ["memory", async (): Promise<RevalidationStore> => createMemoryRevalidationStore()],
  ["postgres", async (): Promise<RevalidationStore> => openPostgres()],
])("a revalidation store in %s", (_, open) => {
  const listAll = (store: RevalidationStore) => store.listDue(Number.MAX_SAFE_INTEGER, 100);

  it("gives back what is due and of a known DID, longest due first", async () => {
    const store = await open();
    await store.rememberDid(did);
    await store.add(attestation());
    const later = attestation({ ...second, failedAt: time - 1, unanswered: 3, nextCheckAt: time + day + 1 });
    await store.add(later);
    await store.add(attestation({ didHash: didHash("did:web:unknown.example") }));
    expect(await store.listDue(time + day - 1, 10)).toEqual([]);
    expect(await store.listDue(time + day, 10)).toEqual([{ ...attestation(), did }]);
    expect(await listAll(store)).toEqual([
      { ...attestation(), did },
      { ...later, did },
    ]);
    expect(await store.listDue(time + 2 * day, 1)).toHaveLength(1);
    expect(await store.count(time + 2 * day)).toEqual({
      attestations: 3,
      due: 2,
      overdue: 1,
      failing: 1,
      unanswered: 1,
      unknownDids: 1,
    });
  });

  it("checks an attestation whose DID becomes known later", async () => {
    const store = await open();
    await store.add(attestation());
    await store.rememberDid(did);
    await store.rememberDid(did);
    expect(await listAll(store)).toEqual([{ ...attestation(), did }]);
  });

  it("keeps what its checks said when an event is read again, and begins anew with a newer one", async () => {
    const store = await open();
    await store.rememberDid(did);
    expect(await store.add(attestation())).toBe(true);
    const failing = attestation({ failedAt: time + 5, nextCheckAt: time + 9 });
    await store.save(failing);
    expect(await store.add(attestation())).toBe(false);
    expect(await listAll(store)).toEqual([{ ...failing, did }]);
    const renewed = attestation({ block: 2n ** 60n + 1n });
    expect(await store.add(renewed)).toBe(false);
    expect(await listAll(store)).toEqual([{ ...renewed, did }]);
  });

  it("forgets what was revoked, but not what was attested after that", async () => {
    const store = await open();
    await store.rememberDid(did);
    await store.add(attestation());
    await store.remove(attestation(), 2n ** 60n - 1n);
    expect(await listAll(store)).toHaveLength(1);
    await store.remove(attestation(), 2n ** 60n);
    expect(await listAll(store)).toEqual([]);
  });

  it("puts down no check of an attestation that is forgotten", async () => {
    const store = await open();
    await store.rememberDid(did);
    await store.save(attestation());
    expect(await listAll(store)).toEqual([]);
  });

  it("makes the other controllers of a DID due that held before a newcomer proved it", async () => {
    const store = await open();
    await store.rememberDid(did);
    await store.rememberDid(normalizeDid("did:web:other.example"));
    const newcomer = attestation({ ...second, heldAt: time + 10 });
    const dataHash = attestation({ schema: "data-hash", subject: `0x${"22".repeat(32)}` });
    const elsewhere = attestation({ didHash: didHash("did:web:other.example") });
    for (const entry of [attestation(), newcomer, dataHash, elsewhere]) await store.add(entry);
    const news = { didHash: didHash(did), except: newcomer.subject, at: time + 11 };
    await store.makeDue({ ...news, heldBefore: time });
    expect(await store.listDue(time + 11, 10)).toEqual([]);
    await store.makeDue({ ...news, heldBefore: time + 10 });
    expect(await store.listDue(time + 11, 10)).toEqual([{ ...attestation({ nextCheckAt: time + 11 }), did }]);
    await store.makeDue({ ...news, heldBefore: time + 10, at: time + 500 });
    expect(await store.listDue(time + 11, 10)).toHaveLength(1);
  });

  it("gives a host to one at a time, until it is free", async () => {
    const store = await open();
    expect(await store.hostFreeAt("a.example")).toBe(0);
    expect(await store.takeHost("a.example", time, time + 60)).toBe(true);
    expect(await store.takeHost("a.example", time + 59, time + 100)).toBe(false);
    expect(await store.takeHost("b.example", time, time + 60)).toBe(true);
    await store.holdHost("a.example", time + 10);
    expect(await store.hostFreeAt("a.example")).toBe(time + 10);
    expect(await store.takeHost("a.example", time + 10, time + 70)).toBe(true);
    const both = [1, 2].map(() => store.takeHost("c.example", time, time + 60));
    expect((await Promise.all(both)).sort()).toEqual([false, true]);
  });

  it("remembers up to which block it knows the chain", async () => {
    const store = await open();
    expect(await store.readCursor()).toBeUndefined();
    for (const block of [7n, 2n ** 60n]) await store.writeCursor(block);
    expect(await store.readCursor()).toBe(2n ** 60n);
  });

  it("lets one work at a time, and the next one after a failure", async () => {
    const store = await open();
    let end: () => void = () => undefined;
    let begun: () => void = () => undefined;
    const working = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const first = store.unlessTaken(async () => {
      begun();
      await new Promise<void>((resolve) => {
        end = resolve;
      });
      throw new Error("cut short");
    });
    await working;
    expect(await store.unlessTaken(async () => "second")).toBeUndefined();
    end();
    await expect(first).rejects.toThrow("cut short");
    expect(await store.unlessTaken(async () => "third")).toBe("third");
  });
});

describe("a revalidation store in PostgreSQL", () => {
  it("is one store for every process, and another one for every issuer", async () => {
    const scope = nextScope();
    const [one, two] = await Promise.all(pools.map((pool) => openPostgres(scope, pool)));
    await one?.rememberDid(did);
    await one?.add(attestation());
    expect(await two?.listDue(time + day, 10)).toEqual([{ ...attestation(), did }]);
    expect((await (await openPostgres()).count(time)).attestations).toBe(0);
    const taken = await one?.unlessTaken(async () => two?.unlessTaken(async () => "at the same time"));
    expect(taken).toBeUndefined();
  });

  it("lets another process work as soon as the one that worked is dead", async () => {
    const scope = nextScope();
    const [one, two] = await Promise.all(pools.map((pool) => openPostgres(scope, pool)));
    let begun: () => void = () => undefined;
    const working = new Promise<void>((resolve) => {
      begun = resolve;
    });
    let end: () => void = () => undefined;
    const first = one?.unlessTaken(async () => {
      begun();
      await new Promise<void>((resolve) => {
        end = resolve;
      });
    });
    await working;
    expect(await two?.unlessTaken(async () => "second")).toBeUndefined();
    try {
      // The server's end of the connection, as when the process that holds it is killed; waits until it is gone.
      await pools[1].query(
        `SELECT pg_terminate_backend(pid, 30000) FROM pg_locks
         WHERE locktype = 'advisory' AND granted AND pid <> pg_backend_pid()
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      expect(await two?.unlessTaken(async () => "second")).toBe("second");
    } finally {
      end();
      await first;
    }
  });

  it("says that the database does not answer in words that may be repeated", async () => {
    const away = new Pool({ connectionString: `postgresql://127.0.0.1:${await freePort()}/none` });
    await expect(openPostgres(nextScope(), away)).rejects.toBeInstanceOf(IssuerStoreError);
    await away.end();
  });
});
