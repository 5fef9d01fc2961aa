import { createDatabase, type PostgresDatabase } from "@app-registry/test-kit/postgres";
import { sql } from "drizzle-orm";
import type { Pool } from "pg";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { IndexUnavailableError, openIndex } from "./openIndex.ts";
import { definitionsHash } from "./tables.ts";

let database: PostgresDatabase;
let writer: Pool;
let index: ReturnType<typeof openIndex>;

const readState = () => index.read(async (_session, state) => state);

beforeAll(async () => {
  database = await createDatabase();
  writer = database.connect();
  index = openIndex({ databaseUrl: database.url, schema: "one", chainId: 31337 });
  return async () => {
    await index.close();
    await writer.end();
    await database.stop();
  };
});

/** Creates the tables from which the progress is read, as the indexer fills them at block 7. */
async function createIndex(definitions: string = definitionsHash): Promise<void> {
  await writer.query(`create schema one`);
  await writer.query(`create table one.head (number int8, hash text)`);
  await writer.query(`create table one._ponder_meta (key text, value jsonb)`);
  await writer.query(`create table one._ponder_checkpoint (finalized_checkpoint text)`);
  await writer.query(`create table one.deployment_block (definitions text)`);
  await writer.query(`insert into one.head values (7, '0x07')`);
  await writer.query(`insert into one._ponder_meta values ('app', '{"is_ready": 1}')`);
  const checkpoint = `${"0".repeat(26)}${"5".padStart(16, "0")}${"0".repeat(33)}`;
  await writer.query(`insert into one._ponder_checkpoint values ($1)`, [checkpoint]);
  await writer.query(`insert into one.deployment_block values ($1)`, [definitions]);
}

beforeEach(() => writer.query(`drop schema if exists one cascade`));

describe("openIndex", () => {
  it("returns that the index is not ready before its tables exist", async () => {
    expect(await readState()).toEqual({ isReady: false, block: undefined });
  });

  it("returns the last live block of a complete index", async () => {
    await createIndex();
    expect(await readState()).toEqual({ isReady: true, block: 7, hash: "0x07" });
  });

  it("returns the final block, without a hash, while a restarted indexer catches up", async () => {
    await createIndex();
    await writer.query(`update one.head set number = 4`);
    expect(await readState()).toEqual({ isReady: true, block: 5, hash: null });
  });

  it("does not read tables of another version", async () => {
    await createIndex("0x");
    expect(await readState()).toEqual({ isReady: false, block: 5 });
  });

  it("reads at one block, whatever the writer commits meanwhile, and never writes", async () => {
    await createIndex();
    await index.read(async ({ client }, state) => {
      await writer.query(`update one.head set number = 8`);
      expect(state.block).toBe(7);
      expect((await client.query("select number from head")).rows).toEqual([{ number: "7" }]);
    });
    await expect(index.read(({ client }) => client.query("delete from head"))).rejects.toThrow(/read-only/);
    expect(await readState()).toMatchObject({ block: 8 });
  });

  it("reads again after its connections were closed", async () => {
    await createIndex();
    await readState();
    await writer.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    expect(await readState()).toMatchObject({ block: 7 });
  });

  it("reads again after its connection was closed between two queries", async () => {
    await createIndex();
    let tries = 0;
    const block = await index.read(async ({ client }, state) => {
      tries += 1;
      const { rows } = await client.query("select pg_backend_pid() as pid");
      if (tries === 1) {
        const ended = new Promise((resolve) => client.once("end", resolve));
        await writer.query("select pg_terminate_backend($1)", [rows[0].pid]);
        await ended;
      }
      await client.query("select 1");
      return state.block;
    });
    expect([block, tries]).toEqual([7, 2]);
  });

  it("waits while the writer has locked a table", async () => {
    await createIndex();
    const locking = await writer.connect();
    await locking.query("begin; lock table one.head in access exclusive mode");
    let isRead = false;
    const read = readState().finally(() => {
      isRead = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(isRead).toBe(false);
    await locking.query("update one.head set number = 9; commit");
    locking.release();
    // The state of the attempt that got the lock, which began before or after the change.
    expect([7, 9]).toContain((await read).block);
    expect(await readState()).toMatchObject({ block: 9 });
  });

  it("does not run a read that is no longer awaited", async () => {
    await createIndex();
    const read = index.read(async () => "read", AbortSignal.abort());
    await expect(read).rejects.toThrow(IndexUnavailableError);
  });

  it("does not try again because of the words of a search", async () => {
    await createIndex();
    let tries = 0;
    const read = index.read(async ({ db }) => {
      tries += 1;
      await db.execute(sql`select ${"connection"}::int`);
    });
    await expect(read).rejects.toThrow(/connection/);
    expect(tries).toBe(1);
  });

  it("does not take a database whose answers are slow for one that is away", async () => {
    await createIndex();
    const sleepFor = (seconds: number) =>
      index.read(({ client }) => client.query("select pg_sleep($1)", [seconds]));
    await expect(sleepFor(9)).rejects.toThrow(IndexUnavailableError);
    await sleepFor(1.5);
  }, 30_000);

  it("fails when the caller's time is up while the database is away", async () => {
    const away = openIndex({ databaseUrl: "postgresql://127.0.0.1:9/x", schema: "one", chainId: 31337 });
    onTestFinished(() => away.close());
    const read = away.read(async () => "read", AbortSignal.timeout(50));
    await expect(read).rejects.toThrow(IndexUnavailableError);
  });
});
