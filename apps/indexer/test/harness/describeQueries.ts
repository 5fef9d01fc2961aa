import { exportQuerySchema, exportRows, searchColumns } from "@app-registry/index/exportRows";
import { InvalidCursorError } from "@app-registry/index/search/search";
import { didHash, type SearchPage } from "@app-registry/sdk";
import { resolverAbi } from "@app-registry/sdk/abi";
import { read, search } from "@app-registry/test-kit/indexReads";
import {
  type Chain,
  type Indexer,
  rpc,
  spawnIndexer,
  untilCaughtUp,
} from "@app-registry/test-kit/startIndexer";
import { encodeFunctionData, toHex } from "viem";
import { describe, expect, it } from "vitest";
import { testData } from "./actors.ts";
import { documentedQueries } from "./documentedQueries.ts";
import { type IndexedChain, indexerOptions } from "./indexedChain.ts";
import { removeStaleLock } from "./removeStaleLock.ts";
import { readSql, readTables, runSql, selectRows } from "./tables.ts";

const sqlExamples = await documentedQueries("sql");
const graphqlExamples = await documentedQueries("graphql");

/** DIDs attested in one block and revoked in the next. For so many rows, Ponder uses a bulk update. */
const REVOKED_TOGETHER = 30;

/** Attests and revokes many DIDs in two blocks, before the indexer starts. */
export async function revokeTogether(chain: Chain): Promise<void> {
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

/** Reads every row of a table, page by page. */
async function copy(indexer: Indexer, table: string, limit: number): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  let cursor: string | undefined;
  do {
    const query = exportQuerySchema.parse({ table, cursor, limit: String(limit) });
    const page = await read(indexer, (session) => exportRows(session, query));
    const lines = page?.ndjson.split("\n") ?? [];
    expect(lines.pop()).toBe("");
    expect(lines.length).toBeLessThanOrEqual(limit);
    rows.push(...lines.map((line) => JSON.parse(line) as Record<string, unknown>));
    cursor = page?.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return rows;
}

/** Blocks mined while the indexer is stopped. */
const AWAY = 2_000;

/** Tests what the indexer's own routes and the export return. */
export function describeQueries(place: IndexedChain): void {
  describe("GraphQL and SQL", () => {
    async function queryGraphql(query: string) {
      const response = await fetch(`${place.indexer.url}/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ query }),
      });
      return (await response.json()) as { data?: Record<string, unknown>; errors?: unknown };
    }

    it("return the rows of a table after a bulk update", async () => {
      const count = "select count(*)::int as count from did_attestation where controller =";
      const rows = await readSql(
        place.indexer,
        `${count} '${testData.owner.toLowerCase()}' and ended_at is not null`,
      );
      expect(rows).toEqual([{ count: REVOKED_TOGETHER }]);
    });

    it("run the examples of docs/indexer.md", async () => {
      expect(sqlExamples.length).toBeGreaterThan(1);
      for (const example of sqlExamples)
        expect(await readSql(place.indexer, example), example).not.toEqual([]);
      expect(graphqlExamples.length).toBeGreaterThan(1);
      for (const query of graphqlExamples) {
        const { data = {}, errors } = await queryGraphql(query);
        expect(errors, query).toBeUndefined();
        for (const found of Object.values(data)) {
          expect(JSON.stringify(found), query).not.toMatch(/^(null|\{"items":\[\]\})$/);
        }
      }
    });

    it("refuse every statement that writes, locks, waits or leaves the tables", async () => {
      const before = await readTables(place.indexer);
      for (const statement of [
        "insert into trait (hash, label) values ('0x1', 'x')",
        "update app set status = 1",
        "create table stranger (id int)",
        "with gone as (delete from app returning *) select * from gone",
        "select 1; delete from app",
        "copy app to '/tmp/app'",
        "select set_config('search_path', 'public', false)",
        "select pg_sleep(60)",
        "select pg_read_file('/etc/passwd')",
        "select nextval('app_registry.operation_id_seq')",
        "select lo_import('/etc/passwd')",
        "select * from app for update",
        "explain analyze delete from app",
      ]) {
        const response = await runSql(place.indexer, statement);
        expect([response.status, await response.text()], statement).toEqual([500, expect.any(String)]);
      }
      expect(await readTables(place.indexer)).toEqual(before);
    });

    it("refuse a GraphQL mutation and an excessive query", async () => {
      expect((await queryGraphql("mutation { deleteApp(tokenId: 1) { tokenId } }")).errors).toBeDefined();
      expect((await queryGraphql("{ apps(limit: 1001) { items { did } } }")).errors).toBeDefined();
      const many = Array.from({ length: 40 }, (_, i) => `a${i}: apps { items { did } }`).join(" ");
      expect((await queryGraphql(`{ ${many} }`)).errors).toBeDefined();
    });

    it.each(tables)("export every row of %s once, in pages of 2 or 1,000", async (path, table, key) => {
      const expected = (await selectRows(place.indexer, `select * from ${table} order by ${key}`)).map(
        (row) =>
          Object.fromEntries(
            Object.entries(row).flatMap(([column, value]) =>
              searchColumns.has(camelCase(column)) ? [] : [[camelCase(column), value]],
            ),
          ),
      );
      const asText = (rows: unknown) =>
        JSON.parse(JSON.stringify(rows, (_, value) => (typeof value === "number" ? String(value) : value)));
      expect(expected.length).toBeGreaterThan(0);
      expect(asText(await copy(place.indexer, path, 2))).toEqual(asText(expected));
      expect(asText(await copy(place.indexer, path, 1_000))).toEqual(asText(expected));
    });

    it("refuse a cursor of another table or with an impossible value", async () => {
      const encode = (text: string) => btoa(text).replaceAll("=", "");
      for (const [table, cursor] of [
        ["apps", encode("1 2")],
        ["apps", encode("x")],
        ["apps", encode("9".repeat(79))],
        ["versions", encode("1 99999999999 1")],
        ["issuers", encode("\0")],
      ] as const) {
        const query = exportQuerySchema.parse({ table, cursor });
        const refused = read(place.indexer, (session) => exportRows(session, query));
        await expect(refused, `${table} ${cursor}`).rejects.toThrow(InvalidCursorError);
      }
      const unknown = exportQuerySchema.parse({ table: "constructor" });
      expect(await read(place.indexer, (session) => exportRows(session, unknown))).toBeUndefined();
    });
  });

  describe.runIf(process.env.TEST_LONG)("an index whose indexer is killed", () => {
    it(`answers for ${AWAY} blocks and while the indexer catches up`, async () => {
      const mine = async (count: number) => {
        // Mine one by one, because Hardhat creates blocks mined in bulk only when they are requested.
        for (let mined = 0; mined < count; mined++) await rpc(place.chain.rpcUrl, "evm_mine", []);
      };
      // Make the block that was the latest when the indexer started final.
      await mine(100);
      await untilCaughtUp(place.chain, place.indexer);
      const query = { limit: 100, status: "any" };
      const known = (await search(place.indexer, query)).results.length;
      await place.indexer.kill();
      const pages: SearchPage[] = [];
      let isOver = false;
      const asking = (async () => {
        // `search` throws if the index is not complete.
        while (!isOver) {
          pages.push(await search(place.indexer, query));
          await new Promise((resolve) => setTimeout(resolve, 250));
        }
      })();
      const away = (async () => {
        await mine(AWAY);
        await removeStaleLock(place.chain, {});
        place.indexer = await spawnIndexer(place.chain, indexerOptions);
        await untilCaughtUp(place.chain, place.indexer);
      })().finally(() => {
        isOver = true;
      });
      await Promise.all([asking, away]);
      for (const page of pages) expect(page.results).toHaveLength(known);
      // The restarted indexer indexes non-final blocks again.
      expect(Math.min(...pages.map(({ block }) => block))).toBeGreaterThan(0);
    });
  });
}
