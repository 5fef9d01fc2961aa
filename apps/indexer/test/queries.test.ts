import { searchColumns } from "@app-registry/index/exportRows";
import { didHash, type SearchPage } from "@app-registry/sdk";
import { resolverAbi } from "@app-registry/sdk/abi";
import { get, search } from "@app-registry/test-kit/indexerRequests";
import { createDatabase, type PostgresDatabase } from "@app-registry/test-kit/postgres";
import {
  type Chain,
  type Indexer,
  rpc,
  spawnIndexer,
  startChain,
  startIndexer,
  stopAll,
  untilCaughtUp,
} from "@app-registry/test-kit/startIndexer";
import { Client } from "pg";
import { encodeFunctionData, toHex } from "viem";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { stopServices } from "../../../scripts/stack/processes.ts";
import { testData } from "./harness/actors.ts";
import { documentedQueries } from "./harness/documentedQueries.ts";
import { removeStaleLock } from "./harness/removeStaleLock.ts";
import { runScenarios } from "./harness/scenarios.ts";
import { readSql, readTables, runSql } from "./harness/tables.ts";

const environment = { OFFCHAIN_DOCUMENTS: "off" };
const sqlExamples = await documentedQueries("sql");
const graphqlExamples = await documentedQueries("graphql");

/** DIDs attested in one block and revoked in the next. For so many rows, Ponder uses a bulk update. */
const REVOKED_TOGETHER = 30;

let chain: Chain;
let own: PostgresDatabase;
let options: { index: string; databaseUrl: string; environment: Record<string, string> };
let writer: Indexer;
beforeAll(async () => {
  [chain, own] = await Promise.all([startChain(), createDatabase()]);
  await runScenarios(chain);
  await revokeTogether();
  options = { index: "queries", databaseUrl: own.url, environment };
  writer = await startIndexer(chain, options);
});

async function revokeTogether() {
  const attestations = Array.from({ length: REVOKED_TOGETHER }, (_, index) => ({
    didHash: didHash(`did:web:together-${index}.test`),
    controller: testData.owner,
    expiresAt: 0n,
  }));
  for (const functionName of ["attestDIDBatch", "revokeDIDBatch"] as const) {
    const data = encodeFunctionData({ abi: resolverAbi, functionName, args: [attestations] });
    const to = chain.deployment.contracts.ResolverWithStore.address;
    await rpc(chain.rpcUrl, "eth_sendTransaction", [
      { from: testData.issuers[0], to, data, gas: toHex(15_000_000) },
    ]);
  }
}
afterAll(async () => {
  await stopAll(chain);
  await own?.stop();
});

/** Export paths, the SQL table of each, and its primary key. */
const tables = [
  ["apps", "app", "token_id"],
  ["versions", "version", "token_id, minor, patch"],
  ["documents", "document", "did_hash, data_hash"],
  ["traits", "trait", "hash"],
  ["did-attestations", "did_attestation", "did_hash, controller, issuer"],
  ["data-hash-attestations", "data_hash_attestation", "did_hash, data_hash, issuer"],
  ["blocks", "block", "did_hash, account"],
  ["challenges", "challenge", "did_hash, incumbent, challenger"],
  ["reclaims", "reclaim", "token_id, claimant"],
  ["issuers", "issuer", "address"],
  ["resolver-limits", "resolver_limit", "name"],
] as const;

const camelCase = (column: string) => column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Reads every row of a table by following the links between pages. */
async function copy(indexer: Indexer, table: string, limit: number): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  for (let next: string | undefined = `?limit=${limit}`; next !== undefined; ) {
    const response: Response = await fetch(`${indexer.url}/export/${table}${next}`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/x-ndjson");
    expect(Number(response.headers.get("index-block"))).toBeGreaterThan(0);
    const lines = (await response.text()).split("\n");
    expect(lines.pop()).toBe("");
    expect(lines.length).toBeLessThanOrEqual(limit);
    rows.push(...lines.map((line) => JSON.parse(line) as Record<string, unknown>));
    next = /^<(\?.*)>; rel="next"$/.exec(response.headers.get("link") ?? "")?.[1];
  }
  return rows;
}

describe("GraphQL and SQL", () => {
  it("return the rows of a table after a bulk update", async () => {
    const count = "select count(*)::int as count from did_attestation where controller =";
    const rows = await readSql(writer, `${count} '${testData.owner.toLowerCase()}' and ended_at is not null`);
    expect(rows).toEqual([{ count: REVOKED_TOGETHER }]);
  });

  it("run the examples of docs/indexer.md", async () => {
    expect(sqlExamples.length).toBeGreaterThan(1);
    for (const example of sqlExamples) expect(await readSql(writer, example), example).not.toEqual([]);
    expect(graphqlExamples.length).toBeGreaterThan(1);
    for (const query of graphqlExamples) {
      const response = await fetch(`${writer.url}/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ query }),
      });
      const { data, errors } = (await response.json()) as {
        data: Record<string, unknown>;
        errors: unknown;
      };
      expect(errors, query).toBeUndefined();
      for (const found of Object.values(data)) {
        expect(JSON.stringify(found), query).not.toMatch(/^(null|\{"items":\[\]\})$/);
      }
    }
  });

  it("refuse every statement that writes, locks, waits or leaves the tables", async () => {
    const before = await readTables(writer);
    for (const statement of [
      "insert into trait (hash, label) values ('0x1', 'x')",
      "update app set status = 1",
      "delete from app",
      "drop table app",
      "truncate app",
      "create table stranger (id int)",
      "with gone as (delete from app returning *) select * from gone",
      "select 1; delete from app",
      "set search_path to public",
      "copy app to '/tmp/app'",
      "select set_config('search_path', 'public', false)",
      "select pg_sleep(60)",
      "select pg_read_file('/etc/passwd')",
      "select nextval('queries.operation_id_seq')",
      "select lo_import('/etc/passwd')",
      "select * into stranger from app",
      "select * from app for update",
      "explain analyze delete from app",
      "vacuum",
    ]) {
      const response = await runSql(writer, statement);
      expect([response.status, await response.text()], statement).toEqual([500, expect.any(String)]);
    }
    expect(await readTables(writer)).toEqual(before);
  });

  it("refuse a GraphQL mutation and an excessive query", async () => {
    const ask = async (query: string) => {
      const response = await fetch(`${writer.url}/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ query }),
      });
      return (await response.json()) as { errors?: { message: string }[] };
    };
    expect((await ask("mutation { deleteApp(tokenId: 1) { tokenId } }")).errors).toBeDefined();
    expect((await ask("{ apps(limit: 1001) { items { did } } }")).errors).toBeDefined();
    const many = Array.from({ length: 40 }, (_, i) => `a${i}: apps { items { did } }`).join(" ");
    expect((await ask(`{ ${many} }`)).errors).toBeDefined();
  });

  it.each(tables)("export every row of %s once, in pages of 2 or 1,000", async (path, table, key) => {
    const expected = (await readSql(writer, `select * from ${table} order by ${key}`)).map((row) =>
      Object.fromEntries(
        Object.entries(row).flatMap(([column, value]) =>
          searchColumns.has(camelCase(column)) ? [] : [[camelCase(column), value]],
        ),
      ),
    );
    const asText = (rows: unknown) =>
      JSON.parse(JSON.stringify(rows, (_, value) => (typeof value === "number" ? String(value) : value)));
    expect(expected.length).toBeGreaterThan(0);
    expect(asText(await copy(writer, path, 2))).toEqual(asText(expected));
    expect(asText(await copy(writer, path, 1_000))).toEqual(asText(expected));
  });

  it.each([
    ["app", 404, "not-found"],
    ["constructor", 404, "not-found"],
    ["apps?limit=1001", 400, "invalid-parameter"],
    ["apps?cursor=*", 400, "invalid-parameter"],
    ["apps?order=name", 400, "invalid-parameter"],
    [`apps?cursor=${btoa("1 2").replaceAll("=", "")}`, 400, "invalid-cursor"],
    [`apps?cursor=${btoa("x").replaceAll("=", "")}`, 400, "invalid-cursor"],
    [`apps?cursor=${btoa("9".repeat(79)).replaceAll("=", "")}`, 400, "invalid-cursor"],
    [`versions?cursor=${btoa("1 99999999999 1").replaceAll("=", "")}`, 400, "invalid-cursor"],
    [`issuers?cursor=${btoa("\0").replaceAll("=", "")}`, 400, "invalid-cursor"],
  ])("refuse the export of %s", async (path, status, code) => {
    const response = await fetch(`${writer.url}/export/${path}`);
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([status, code]);
  });
});

/** Long tests use two readers, a second release, and a writer that is killed. */
const isLong = Boolean(process.env.TEST_LONG);
/** Blocks mined while the writer is stopped. */
const AWAY = 2_000;

describe("readers of an index", () => {
  let admin: Client;
  let readers: Indexer[];
  beforeAll(async () => {
    admin = new Client({ connectionString: chain.database.url });
    await admin.connect();
    // Make the block that was the latest when the writer started final.
    await mine(100);
    await untilCaughtUp(chain, writer);
    readers = await Promise.all(
      (isLong ? [1, 2] : [1]).map(() => startIndexer(chain, { ...options, command: "serve" as const })),
    );
  });
  afterAll(async () => {
    await stopServices();
    await admin?.end();
  });

  /** Mines blocks one by one, because Hardhat creates blocks mined in bulk only when they are requested. */
  async function mine(count: number) {
    for (let mined = 0; mined < count; mined++) await rpc(chain.rpcUrl, "evm_mine", []);
  }

  const queries = [{ limit: 100, status: "any" }, { q: "service" }, { interface: 2 }, { sort: "name" }];
  const answers = (of: Indexer) => Promise.all(queries.map((query) => search(of, query)));

  it("return the same answers as the writer", async () => {
    const expected = await answers(writer);
    expect(expected[0]?.results).not.toEqual([]);
    for (const reader of readers) expect(await answers(reader)).toEqual(expected);
  });

  it.runIf(isLong)("respond while a new release builds its own schema", async () => {
    const expected = await answers(writer);
    const next = await spawnIndexer(chain, { ...options, index: "release_2" });
    for (const reader of readers) expect(await answers(reader)).toEqual(expected);
    await untilCaughtUp(chain, next);
    const [page] = await answers(next);
    expect(page?.results).toEqual(expected[0]?.results);
    await next.stop();
  });

  it.runIf(isLong)(`respond while the writer is killed for ${AWAY} blocks and catches up`, async () => {
    const expected = await answers(writer);
    await writer.kill();
    for (const reader of readers) expect(await answers(reader)).toEqual(expected);
    const known = expected[0]?.results.length;
    const pages: SearchPage[] = [];
    let isOver = false;
    const asking = Promise.all(
      readers.map(async (reader) => {
        // `search` throws if the status is not 200.
        while (!isOver) {
          pages.push(await search(reader, { limit: 100, status: "any" }));
          await new Promise((resolve) => setTimeout(resolve, 250));
        }
      }),
    );
    const away = (async () => {
      await mine(AWAY);
      await removeStaleLock(chain, options);
      writer = await spawnIndexer(chain, options);
      for (const indexer of [writer, ...readers]) await untilCaughtUp(chain, indexer);
    })().finally(() => {
      isOver = true;
    });
    await Promise.all([asking, away]);

    expect(Math.max(...pages.map(({ lag }) => lag ?? 0))).toBeGreaterThanOrEqual(AWAY);
    for (const page of pages) expect(page.results).toHaveLength(known ?? 0);
    const blocks = pages.map(({ block }) => block);
    // The restarted writer indexes non-final blocks again.
    expect(Math.min(...blocks)).toBeGreaterThan(0);
    for (const reader of readers) expect(await search(reader, { limit: 1 })).toMatchObject({ lag: 0 });
  });

  it("wait for tables that the writer has locked", async () => {
    const [reader] = readers as [Indexer];
    const client = new Client({ connectionString: own.url });
    await client.connect();
    onTestFinished(() => client.end());
    for (const table of ["app", "head"]) {
      await client.query(`begin; lock "${options.index}"."${table}" in access exclusive mode`);
      const asked = get(reader, "/search", { q: "service" });
      // A session of the reader waits half a second for a lock. Hold it six times as long.
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      await client.query("rollback");
      expect(await asked).toMatchObject({ status: 200 });
    }
  });

  it("report that the database is unavailable without details of the machine, and recover with it", async () => {
    await writer.stop();
    const [reader] = readers as [Indexer];
    const name = new URL(own.url).pathname.slice(1);
    await admin.query(`alter database "${name}" allow_connections false`);
    await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name]);
    const ask = async () => {
      const response = await fetch(`${reader.url}/search?q=service`);
      return {
        status: response.status,
        type: response.headers.get("content-type"),
        text: await response.text(),
      };
    };
    const { status, type, text } = await ask();
    expect([status, type]).toEqual([503, "application/problem+json"]);
    expect(JSON.parse(text)).toMatchObject({ code: "database-unavailable" });
    expect(text).not.toMatch(/\/|postgres|node_modules|select/i);
    await admin.query(`alter database "${name}" allow_connections true`);
    await expect.poll(async () => (await ask()).status).toBe(200);
  });
});
