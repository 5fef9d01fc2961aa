import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "@app-registry/test-kit/eventually";
import { createDatabase, type PostgresDatabase } from "@app-registry/test-kit/postgres";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { runWithAdvisoryLock } from "./database.ts";

describe("runWithAdvisoryLock", () => {
  let server: PostgresDatabase;
  const working: string[] = [];
  const errors: unknown[] = [];

  beforeAll(async () => {
    server = await createDatabase();
  });
  afterAll(() => server.stop());

  /** Starts work that lists `name` while it holds the lock. Returns a function that stops it. */
  function start(name: string): () => Promise<void> {
    const stopped = new AbortController();
    const lock = { connectionString: server.url, name: "documents", onError: (e: unknown) => errors.push(e) };
    const ended = runWithAdvisoryLock(lock, stopped.signal, async (signal) => {
      working.push(name);
      await sleep(600_000, undefined, { signal }).catch(() => undefined);
      working.splice(working.indexOf(name), 1);
    });
    const stop = () => {
      stopped.abort();
      return ended;
    };
    onTestFinished(stop);
    return stop;
  }

  const until = (expected: string[]) => eventually(() => expect(working).toEqual(expected));

  it("lets one process work at a time, and the next when that one stops", async () => {
    const stopFirst = start("first");
    await until(["first"]);
    const stopSecond = start("second");
    await sleep(2_500);
    expect(working).toEqual(["first"]);
    await stopFirst();
    await until(["second"]);
    await stopSecond();
    expect(working).toEqual([]);
    expect(errors).toEqual([]);
  });

  it("stops the work when its connection is lost, and starts it again", async () => {
    start("only");
    await until(["only"]);
    const pool = server.connect();
    await pool.query(
      `select pg_terminate_backend(pid) from pg_locks
       where locktype = 'advisory' and pid <> pg_backend_pid()
         and database = (select oid from pg_database where datname = current_database())`,
    );
    await pool.end();
    await until([]);
    await until(["only"]);
  });
});
