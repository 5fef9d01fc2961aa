import { didHash } from "@app-registry/sdk";
import { resolverAbi } from "@app-registry/sdk/abi";
import { encodeFunctionData, toHex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, type PostgresDatabase } from "../../../packages/sdk/test/support/postgres.ts";
import { universe } from "./harness/actors.ts";
import { documentedQueries } from "./harness/documentedQueries.ts";
import { search } from "./harness/http.ts";
import { playScenes } from "./harness/scenes.ts";
import {
  type Chain,
  type Indexer,
  rpc,
  spawnIndexer,
  startChain,
  startIndexer,
  stopAll,
  untilCaughtUp,
} from "./harness/stack.ts";
import { readSql, readTables, runSql } from "./harness/tables.ts";

const environment = { OFFCHAIN_DOCUMENTS: "off" };
const sqlExamples = await documentedQueries("sql");
const graphqlExamples = await documentedQueries("graphql");

/** DIDs whose attestations come in one block, and are revoked in the next: more rows than Ponder changes one by one. */
const REVOKED_TOGETHER = 30;

let chain: Chain;
let server: PostgresDatabase;
beforeAll(async () => {
  [chain, server] = await Promise.all([startChain(), createDatabase()]);
  await playScenes(chain);
  await revokeTogether();
});

async function revokeTogether() {
  const attestations = Array.from({ length: REVOKED_TOGETHER }, (_, index) => ({
    didHash: didHash(`did:web:together-${index}.test`),
    controller: universe.owner,
    expiresAt: 0n,
  }));
  for (const functionName of ["attestDIDBatch", "revokeDIDBatch"] as const) {
    const data = encodeFunctionData({ abi: resolverAbi, functionName, args: [attestations] });
    const to = chain.deployment.contracts.ResolverWithStore.address;
    await rpc(chain.rpcUrl, "eth_sendTransaction", [
      { from: universe.issuers[0], to, data, gas: toHex(15_000_000) },
    ]);
  }
}
afterAll(async () => {
  await stopAll(chain);
  await server?.stop();
});

describe.each(process.env.TEST_LONG ? ["PGlite", "PostgreSQL"] : ["PostgreSQL"])(
  "GraphQL and SQL on %s",
  (kind) => {
    let indexer: Indexer;
    beforeAll(async () => {
      indexer = await startIndexer(chain, {
        index: "queries",
        schema: "queries",
        databaseUrl: kind === "PostgreSQL" ? server.url : "",
        environment,
      });
    });
    afterAll(() => indexer.service.stop());

    it("see the rows of a table of which many changed at once", async () => {
      const count = "select count(*)::int as count from did_attestation where controller =";
      const rows = await readSql(
        indexer,
        `${count} '${universe.owner.toLowerCase()}' and ended_at is not null`,
      );
      expect(rows).toEqual([{ count: REVOKED_TOGETHER }]);
    });

    it("answer the examples of docs/indexer.md", async () => {
      expect(sqlExamples.length).toBeGreaterThan(1);
      for (const example of sqlExamples) expect(await readSql(indexer, example), example).not.toEqual([]);
      expect(graphqlExamples.length).toBeGreaterThan(1);
      for (const query of graphqlExamples) {
        const response = await fetch(`${indexer.url}/graphql`, {
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

    it.each([
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
    ])("refuse %j", async (statement) => {
      const before = await readTables(indexer);
      const response = await runSql(indexer, statement);
      expect([response.status, await response.text()]).toEqual([500, expect.any(String)]);
      expect(await readTables(indexer)).toEqual(before);
    });

    it("refuse a GraphQL mutation, and a query without end", async () => {
      const ask = async (query: string) => {
        const response = await fetch(`${indexer.url}/graphql`, {
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
  },
);

describe("readers of a PostgreSQL", () => {
  it("give the writer's answers, also while it is away, and while a new release builds its own schema", {
    timeout: 400_000,
  }, async () => {
    const options = { schema: "release_1", databaseUrl: server.url, environment };
    const writer = await startIndexer(chain, options);
    const readers = [
      await startIndexer(chain, { ...options, command: "serve" }),
      await startIndexer(chain, { ...options, command: "serve" }),
    ];
    const queries = [{ limit: 100, status: "any" }, { q: "service" }, { interface: 2 }, { sort: "name" }];
    const answers = (of: Indexer) => Promise.all(queries.map((query) => search(of, query)));

    const expected = await answers(writer);
    expect(expected[0]?.results).not.toEqual([]);
    for (const reader of readers) expect(await answers(reader)).toEqual(expected);
    await writer.service.kill();
    for (const reader of readers) expect(await answers(reader)).toEqual(expected);

    const next = await spawnIndexer(chain, { ...options, schema: "release_2" });
    for (const reader of readers) expect(await answers(reader)).toEqual(expected);
    await untilCaughtUp(chain, next);
    const [page] = await answers(next);
    expect(page?.results).toEqual(expected[0]?.results);
    for (const { service } of [...readers, next]) await service.stop();
  });
});
