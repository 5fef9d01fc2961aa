import { freePort } from "@app-registry/test-kit/freePort";
import { createDatabase, type PostgresDatabase } from "@app-registry/test-kit/postgres";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { IssuerTransaction, SignedAttempt } from "./issuerTransaction.ts";
import { IssuerStoreError } from "./sendingErrors.ts";
import { openTransactionStore } from "./transactionStore.ts";

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

const attempt = (nonce: number, options: Partial<SignedAttempt> = {}): SignedAttempt => ({
  type: "eip1559",
  maxFeePerGas: 10n ** 30n + 1n,
  maxPriorityFeePerGas: 1n,
  hash: `0x${nonce.toString(16).padStart(64, "0")}`,
  serialized: "0x02",
  signedAt: 1_700_000_000_000 + nonce,
  ...options,
});
const transaction = (nonce: number, key = `key ${nonce}`): IssuerTransaction => ({
  nonce,
  key,
  to: `0x${"11".repeat(20)}`,
  data: "0xabcd",
  gas: 100_000n,
  attempts: [attempt(nonce)],
  mined: undefined,
});
const mined = { hash: attempt(0).hash, blockNumber: 2n ** 60n, reverted: false };

let scopes = 0;
const nextScope = () => `eip155:31337:issuer ${scopes++}`;
const open = (scope = nextScope(), pool = pools[0]) => openTransactionStore(pool, scope);

describe("a transaction store", () => {
  it("lists its transactions, lowest nonce first", async () => {
    const store = await open();
    for (const nonce of [11, 2, 9]) expect(await store.insert(transaction(nonce))).toBe(true);
    expect(await store.list()).toEqual([transaction(2), transaction(9), transaction(11)]);
  });

  it("stores the first client of a transaction, and the new one if a nonce is used again", async () => {
    const store = await open();
    const asked = { ...transaction(1), client: "hash of a client" };
    await store.insert(asked);
    await store.addAttempt(1, attempt(7));
    const attempts = [attempt(1), attempt(7)];
    expect(await store.find("key 1")).toEqual({ ...asked, attempts });
    await store.settle(1, mined);
    await store.insert(transaction(1, "by the issuer itself"));
    expect(await store.list()).toEqual([transaction(1, "by the issuer itself")]);
  });

  it("rejects a second open transaction with the same nonce or key", async () => {
    const store = await open();
    await store.insert(transaction(1, "a"));
    expect(await store.insert(transaction(1, "b"))).toBe(false);
    expect(await store.insert(transaction(2, "a"))).toBe(false);
    expect(await store.list()).toEqual([transaction(1, "a")]);
  });

  it("accepts a key again once its transaction is mined, and finds the newer one", async () => {
    const store = await open();
    await store.insert(transaction(1, "a"));
    await store.settle(1, mined);
    expect(await store.find("a")).toEqual({ ...transaction(1, "a"), mined });
    expect(await store.insert(transaction(2, "a"))).toBe(true);
    expect(await store.find("a")).toEqual(transaction(2, "a"));
    expect(await store.find("b")).toBeUndefined();
  });

  it("accepts a nonce again after a reorganization", async () => {
    const store = await open();
    await store.insert(transaction(1, "a"));
    await store.settle(1, mined);
    expect(await store.insert(transaction(1, "b"))).toBe(true);
    expect(await store.list()).toEqual([transaction(1, "b")]);
  });

  it("adds replacements only to an open transaction", async () => {
    const store = await open();
    await store.insert(transaction(1));
    await store.addAttempt(1, attempt(7));
    const attempts = [attempt(1), attempt(7)];
    expect(await store.list()).toEqual([{ ...transaction(1), attempts }]);
    await store.settle(1, mined);
    await store.addAttempt(1, attempt(8));
    await store.settle(1, { ...mined, reverted: true });
    expect(await store.list()).toEqual([{ ...transaction(1), attempts, mined }]);
  });

  it("removes transactions on request, and old mined ones", async () => {
    const store = await open();
    for (const nonce of [1, 2, 3, 4]) await store.insert(transaction(nonce));
    await store.remove(4);
    await store.settle(1, mined);
    await store.settle(3, mined);
    await store.prune(1_700_000_000_003);
    expect((await store.list()).map(({ nonce }) => nonce)).toEqual([2, 3]);
  });

  it("runs one task at a time, even after a failure", async () => {
    const store = await open();
    let running = 0;
    const task = async (fails: boolean) => {
      expect(++running).toBe(1);
      await store.list();
      running--;
      if (fails) throw new Error("task");
    };
    const tasks = Array.from({ length: 10 }, (_, index) => store.exclusively(() => task(index % 3 === 0)));
    const results = await Promise.allSettled(tasks);
    expect(results.filter(({ status }) => status === "rejected")).toHaveLength(4);
  });

  it("is shared by processes that open it concurrently", async () => {
    const scope = nextScope();
    const [one, two] = await Promise.all(pools.map((pool) => open(scope, pool)));
    await one?.insert(transaction(1));
    expect(await two?.list()).toEqual([transaction(1)]);
    expect(await two?.insert(transaction(1))).toBe(false);
  });

  it("keeps keys and chains apart", async () => {
    const [one, two] = [await open(), await open()];
    await one.insert(transaction(1));
    expect(await two.list()).toEqual([]);
    expect(await two.insert(transaction(1))).toBe(true);
  });

  it("runs one task at a time among processes", async () => {
    const scope = nextScope();
    const stores = await Promise.all(pools.map((pool) => open(scope, pool)));
    let running = 0;
    const tasks = Array.from({ length: 10 }, (_, index) =>
      stores[index % 2]?.exclusively(async () => {
        expect(++running).toBe(1);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running--;
      }),
    );
    await Promise.all(tasks);
  });

  it("does not block others if a process ends during a task", async () => {
    const scope = nextScope();
    const dying = server.connect();
    const victim = await open(scope, dying);
    const survivor = await open(scope, pools[0]);
    let died: Promise<void> | undefined;
    await new Promise<void>((hold) => {
      died = victim.exclusively(async () => {
        hold();
        await new Promise((resolve) => setTimeout(resolve, 50));
      });
    });
    const waiting = survivor.exclusively(async () => "went on");
    // End the connections, as the server does when a process ends.
    await pools[1].query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks
       WHERE locktype = 'advisory' AND granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    expect(await waiting).toBe("went on");
    await died;
    await dying.end();
  });

  it("throws a retryable error if the database is unavailable", async () => {
    const away = new Pool({
      connectionString: `postgresql://postgres@127.0.0.1:${await freePort()}/postgres`,
    });
    const opening = open(nextScope(), away);
    await expect(opening).rejects.toBeInstanceOf(IssuerStoreError);
    await expect(opening).rejects.toMatchObject({ retryable: true });
    await away.end();
  });
});
