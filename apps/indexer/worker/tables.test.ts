import { createDatabase, type PostgresDatabase } from "@app-registry/test-kit/postgres";
import { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, pgliteDatabase, postgresDatabase } from "./database.ts";
import { documentQueue } from "./recordStore.ts";
import { createTables, quoteSchemas } from "./tables.ts";

const NOW = 1_800_000_000;

/** Tables of the version that stored its queue in `record` and `host`, with three records of two hosts. */
const earlier = (schema: string) => `
  create schema ${schema};
  create table ${schema}.host (host text primary key, due_at double precision not null default 0,
    free_at double precision not null, failures integer not null default 0);
  create index host_due on ${schema}.host (due_at);
  create table ${schema}.record (token_id numeric(78) primary key, did text not null, did_hash text not null,
    data_url text not null, data_hash text not null, algorithm integer not null, trait_hashes text[] not null,
    host text not null, priority integer not null, next_at double precision not null,
    failures integer not null default 0, state text not null default 'pending', reason text,
    checked_at double precision);
  create index record_queue on ${schema}.record (host, priority, next_at);
  insert into ${schema}.record
    select id, 'did:web:' || host, '0x01', 'https://' || host || '/a.json', '0x02', 0, '{}', host, priority, next_at,
      failures, state, null, ${NOW - 9}
    from (values (1, 'a.test', 2, ${NOW + 60}, 0, 'served'), (2, 'a.test', 0, ${NOW}, 0, 'pending'),
      (3, 'b.test', 2, ${NOW}, 4, 'unreachable')) given(id, host, priority, next_at, failures, state);
  insert into ${schema}.host values ('a.test', ${NOW}, ${NOW - 1}, 0), ('b.test', ${NOW + 90}, ${NOW + 90}, 4);`;

let server: PostgresDatabase;
const stops: (() => Promise<void>)[] = [];
beforeAll(async () => {
  server = await createDatabase();
});
afterAll(async () => {
  for (const stop of stops) await stop();
  await server.stop();
});

describe.each<[string, () => Database]>([
  [
    "PGlite",
    () => {
      const client = new PGlite();
      stops.push(() => client.close());
      return pgliteDatabase(client);
    },
  ],
  [
    "PostgreSQL",
    () => {
      const pool = server.connect();
      stops.push(() => pool.end());
      return postgresDatabase(pool);
    },
  ],
])("createTables over the tables of an earlier version in %s", (_name, open) => {
  it("keeps the due time of each record and the pause of each host", async () => {
    const database = open();
    const schemas = quoteSchemas(31337, "index");
    await database.run(earlier(schemas.offchain));
    await createTables(database, schemas);
    await createTables(database, schemas);

    const queue = documentQueue(database, schemas);
    const claim = (now: number) => queue.claim({ now, until: now + 60 });
    expect(await claim(NOW)).toMatchObject({
      host: "a.test",
      failures: 0,
      job: { key: "2", priority: 0, dueAt: NOW },
    });
    expect(await claim(NOW + 59)).toBeUndefined();
    const counts = await queue.count({ now: NOW, overdueBefore: NOW });
    expect(counts).toEqual({ jobs: 3, due: 2, overdue: 0, failing: 1 });
    expect((await claim(NOW + 60))?.host).toBe("a.test");
    expect(await claim(NOW + 90)).toMatchObject({
      host: "b.test",
      failures: 4,
      job: { key: "3", failures: 4 },
    });
    const rows = await database.query(`select state from ${schemas.offchain}.record order by token_id`);
    expect(rows.map(({ state }) => state)).toEqual(["served", "pending", "unreachable"]);
  });
});
