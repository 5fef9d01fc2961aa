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
const transaction = (nonce: number, ...keys: string[]): IssuerTransaction => ({
  nonce,
  statements: (keys.length > 0 ? keys : [`key ${nonce}`]).map((key) => ({ key })),
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
  it("lists its open transactions, lowest nonce first, and counts them", async () => {
    const store = await open();
    for (const nonce of [11, 2, 9, 3]) expect(await store.insert(transaction(nonce))).toBe(true);
    await store.settle(3, mined);
    expect(await store.listOpen()).toEqual([transaction(2), transaction(9), transaction(11)]);
    expect(await store.countOpen(1_700_000_000_010)).toEqual({ open: 3, stuck: 2 });
  });

  it("finds the lowest free nonce, and the nonces that it contains", async () => {
    const store = await open();
    for (const nonce of [2, 4, 5, 9]) await store.insert(transaction(nonce));
    const free = await Promise.all([1, 2, 3, 4, 9].map((from) => store.findFreeNonce(from)));
    expect(free).toEqual([1, 3, 3, 6, 10]);
    await store.settle(4, mined);
    expect(await store.findFreeNonce(4)).toBe(4);
    expect((await store.listNonces(2, 9)).sort()).toEqual([2, 4, 5]);
  });

  it("finds a transaction by each of its statements", async () => {
    const store = await open();
    const batch = transaction(1, "a", "b", "c");
    expect(await store.insert(batch)).toBe(true);
    for (const key of ["a", "b", "c"]) expect(await store.find(key)).toEqual(batch);
    expect(await store.insert(transaction(2, "c", "d"))).toBe(false);
    await store.settle(1, mined);
    expect(await store.insert(transaction(2, "c", "d"))).toBe(true);
    expect(await store.find("b")).toEqual({ ...batch, mined });
    expect(await store.find("c")).toEqual(transaction(2, "c", "d"));
    expect(await store.find("e")).toBeUndefined();
  });

  it("sums what is open, and what was mined in the last hour, for everybody and each client", async () => {
    const store = await open();
    const minute = 60_000;
    const signedAt = Math.floor(Date.now() / minute) * minute;
    const insert = (nonce: number, maxFeePerGas: bigint, ...clients: (string | undefined)[]) => {
      const attempts = [attempt(nonce, { maxFeePerGas, signedAt })];
      const statements = clients.map((client, index) => ({ key: `${nonce} ${index}`, client }));
      return store.insert({ ...transaction(nonce), gas: 100n, attempts, statements });
    };
    await insert(1, 3n, "one", "two", undefined);
    await insert(2, 5n, "one");
    const read = async () => Object.fromEntries(await store.readSpending(["one", "two", "three"]));
    expect(await read()).toEqual({
      "": { open: 800n, mined: [] },
      one: { open: 600n, mined: [] },
      two: { open: 100n, mined: [] },
      three: { open: 0n, mined: [] },
    });
    await store.settle(2, mined);
    await store.settle(2, mined);
    await store.addAttempt(1, attempt(1, { signedAt: signedAt + minute }), 900n);
    await store.settle(1, mined);
    const until = signedAt + 61 * minute;
    const mine = (cost: bigint, later = 0) => ({ cost, until: until + later });
    expect(await read()).toEqual({
      "": { open: 0n, mined: [mine(500n), mine(900n, minute)] },
      one: { open: 0n, mined: [mine(500n), mine(300n, minute)] },
      two: { open: 0n, mined: [mine(300n, minute)] },
      three: { open: 0n, mined: [] },
    });
    await store.prune(signedAt + 2 * minute);
    expect(await store.listNonces(0, 9)).toEqual([]);
    expect((await read()).two).toEqual({ open: 0n, mined: [mine(300n, minute)] });
  });

  it("stores the first client of a transaction, and the new one if a nonce is used again after a reorganization", async () => {
    const store = await open();
    const asked = { ...transaction(1), statements: [{ key: "key 1", client: "hash of a client" }] };
    await store.insert(asked);
    await store.addAttempt(1, attempt(7), 5n);
    const attempts = [attempt(1), attempt(7)];
    expect(await store.find("key 1")).toEqual({ ...asked, attempts });
    await store.settle(1, mined);
    await store.insert(transaction(1, "by the issuer itself"));
    expect(await store.listOpen()).toEqual([transaction(1, "by the issuer itself")]);
  });

  it("adds replacements only to an open transaction", async () => {
    const store = await open();
    await store.insert(transaction(1));
    await store.addAttempt(1, attempt(7), 5n);
    const attempts = [attempt(1), attempt(7)];
    expect(await store.listOpen()).toEqual([{ ...transaction(1), attempts }]);
    await store.settle(1, mined);
    await store.addAttempt(1, attempt(8), 5n);
    await store.settle(1, { ...mined, reverted: true });
    expect(await store.get(1)).toEqual({ ...transaction(1), attempts, mined });
  });

  it("removes transactions on request, and old mined ones", async () => {
    const store = await open();
    for (const nonce of [1, 2, 3, 4]) await store.insert(transaction(nonce));
    await store.remove(4);
    await store.settle(1, mined);
    await store.settle(3, mined);
    await store.prune(1_700_000_000_003);
    expect(await store.listNonces(0, 9)).toEqual([2, 3]);
  });

  it("is shared by processes that open it concurrently", async () => {
    const scope = nextScope();
    const [one, two] = await Promise.all(pools.map((pool) => open(scope, pool)));
    await one?.insert(transaction(1));
    expect(await two?.listOpen()).toEqual([transaction(1)]);
    expect(await two?.insert(transaction(1))).toBe(false);
  });

  it("keeps keys and chains apart", async () => {
    const [one, two] = [await open(), await open()];
    await one.insert(transaction(1));
    expect(await two.listOpen()).toEqual([]);
    expect(await two.insert(transaction(1))).toBe(true);
  });

  it("runs one task at a time in all processes, even after a failure", async () => {
    const scope = nextScope();
    const stores = await Promise.all(pools.map((pool) => open(scope, pool)));
    let running = 0;
    const tasks = Array.from({ length: 12 }, (_, index) =>
      stores[index % 2]?.exclusively(async () => {
        expect(++running).toBe(1);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running--;
        if (index % 3 === 0) throw new Error("task");
      }),
    );
    const results = await Promise.allSettled(tasks);
    expect(results.filter(({ status }) => status === "rejected")).toHaveLength(4);
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
