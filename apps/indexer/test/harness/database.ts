import { getDidSite } from "@app-registry/index/document/keys";
import { type DocumentLabels, parseDocument } from "@app-registry/index/document/parseDocument";
import { recordLabels } from "@app-registry/index/document/recordLabels";
import { createSession } from "@app-registry/index/session";
import { createTables, quoteSchemas } from "@app-registry/index/workerTables";
import { toServerName } from "@app-registry/sdk";
import { createDatabase } from "@app-registry/test-kit/postgres";
import { sql } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import { drizzle } from "drizzle-orm/node-postgres";
import { getTableConfig, getViewConfig } from "drizzle-orm/pg-core";
import { Pool, type PoolClient } from "pg";
import type { Address, Hex } from "viem";
import * as schema from "../../ponder.schema.ts";
import { postgresDatabase } from "../../worker/database.ts";
import { documentStore } from "../../worker/documents.ts";
import type { OffchainRecord } from "../../worker/records.ts";

/** Schemas of the worker's tables and of the index. */
export const workerSchemas = quoteSchemas(31337, "public");

/** Database that the test files of a process share, one after the other. */
const kept = globalThis as { testDatabase?: Pool };
// Every connection finds the tables as the transaction of a read does.
kept.testDatabase ??= new Pool({
  ...{ connectionString: (await createDatabase()).url, max: 4 },
  options: `-c search_path=public,${workerSchemas.offchain}`,
});

/** Empty PostgreSQL with the tables of `ponder.schema.ts`. */
const client = kept.testDatabase;
const { rows: schemas } = await client.query<{ name: string }>(
  "select quote_ident(nspname) as name from pg_namespace where nspname !~ '^(pg_|information_schema$)'",
);
for (const { name } of schemas) await client.query(`drop schema ${name} cascade`);
await client.query("create schema public");

const tables = [
  ...[schema.app, schema.version, schema.document, schema.trait, schema.head, schema.issuer],
  ...[schema.didAttestation, schema.dataHashAttestation, schema.block, schema.resolverLimit],
];
for (const table of tables) {
  const { name, columns } = getTableConfig(table);
  const definitions = columns.map(
    (column) =>
      `${toSnakeCase(column.name)} ${column.getSQLType()}${column.notNull ? " not null" : ""}${column.primary ? " primary key" : ""}`,
  );
  await client.query(`create table ${name} (${definitions.join(", ")})`);
}

await client.query("alter table did_attestation add primary key (did_hash, controller, issuer)");
await client.query("alter table data_hash_attestation add primary key (did_hash, data_hash, issuer)");
await client.query("alter table block add primary key (did_hash, account)");
await client.query("create index on app (did_hash, major)");
await client.query("create index on app using gin (search_vector, trait_hashes)");
await client.query("create index on app (status, unproven, token_id)");
await client.query("create index on app (name_folded, status, did_hash)");

/** Same database for the worker, with its tables. */
export const workerDatabase = postgresDatabase(client);
await createTables(workerDatabase, workerSchemas);

let statements: { query: string; params: unknown[] }[] = [];

const logged = {
  query(query: string | { text: string; values?: unknown[] }, values?: unknown[]) {
    const text = typeof query === "string" ? query : query.text;
    statements.push({
      query: text,
      params: values ?? (typeof query === "string" ? [] : (query.values ?? [])),
    });
    return client.query(query as string, values);
  },
} as unknown as PoolClient;

/** Session of the functions under test. */
export const session = createSession(logged, { schema: "public", hasWorkerTables: true });

export const db = drizzle({ client, casing: "snake_case" });

for (const view of [schema.liveDidAttestation, schema.liveDataHashAttestation]) {
  const { name, query } = getViewConfig(view);
  await db.execute(sql`create view ${sql.identifier(name)} as ${query}`);
}

/** Returns the query plans of a task's statements, from running them again. */
export async function explain(task: () => Promise<unknown>): Promise<string[]> {
  statements = [];
  await task();
  const plans: string[] = [];
  for (const { query, params } of statements.splice(0)) {
    const { rows } = await client.query<{ "QUERY PLAN": string }>(`explain (analyze) ${query}`, params);
    plans.push(rows.map((row) => row["QUERY PLAN"]).join("\n"));
  }
  return plans;
}

type App = typeof schema.app.$inferInsert;

/** Returns the labels of a document that has only these. */
export const documentLabels = (labels: Partial<DocumentLabels>): DocumentLabels => ({
  ...{ name: null, text: "", description: null, publisher: null, image: null },
  ...{ endpoints: [], traits: [], toolNames: [], problems: [] },
  ...labels,
});

/** Returns the row of a record that its events and its document would give. */
export function appRow(
  tokenId: bigint,
  { name = null, text = "", ...row }: { name?: string | null; text?: string } & Partial<App> = {},
): App {
  const hash = `0x${tokenId.toString(16).padStart(64, "0")}` as const;
  const did = `did:web:service-${tokenId}.test`;
  const serverNameOfRow = toServerName(row.did ?? did);
  const traitHashes = row.traitHashes ?? [];
  return {
    ...{ tokenId, did, didHash: hash, dataHash: hash, traitHashes },
    ...{ major: 1, minor: 0, patch: 0, interfaces: 2, dataHashAlgorithm: 0, status: 0 },
    ...{ dataUrl: "https://service.test/", contractId: "", fungibleTokenId: "" },
    ...{
      minter: "0x00000000000000000000000000000000000000aa",
      owner: "0x00000000000000000000000000000000000000aa",
    },
    ...{ mintedAt: 1, publishedAt: 1, changedAt: 1, changedBlock: 1 },
    pointer: "0x00000000000000000000000000000000000000bb",
    serverName: serverNameOfRow,
    site: getDidSite(row.did ?? did),
    hasMinterLost: false,
    unproven: 0,
    ...recordLabels({ did, traitHashes }, documentLabels({ name, text, description: text })),
    ...row,
  };
}

/** Replaces the rows of the table. */
export async function fill(rows: readonly App[]): Promise<void> {
  const inColumns = (row: App) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [toSnakeCase(name), value]));
  const json = JSON.stringify(rows.map(inColumns), (_, value) =>
    typeof value === "bigint" ? String(value) : value,
  );
  // Deleted rows would stay in the indexes for a while and slow down hundreds of lookups.
  await client.query("truncate app");
  // One parameter for all rows takes half the time of one for each value.
  await client.query("insert into app select * from jsonb_populate_recordset(null::app, $1)", [json]);
}

/** Stores an issuer's attestations of controllers at the last block. Default: the minter of each record. */
export async function attest(...controls: (Pick<App, "didHash" | "minter"> | Control)[]): Promise<void> {
  const issuer: Address = "0x00000000000000000000000000000000000000cc";
  await db.insert(schema.head).values({ chainId: 1, number: 1, hash: "0x01", timestamp: 10 });
  await db.insert(schema.issuer).values({ address: issuer, status: "active", addedAt: 1 });
  await db.insert(schema.didAttestation).values(
    controls.map(({ didHash, ...by }) => ({
      ...{ didHash, controller: "controller" in by ? by.controller : by.minter, issuer },
      ...{ startedAt: 1, statedAt: 1, maturesAt: 1, expiresAt: 100 },
      ...{ isEndFinal: false, transactionHash: didHash },
    })),
  );
}

type Control = { didHash: Hex; controller: Address };

/** Labels a record by a document at its dataUrl, like the worker. `keeps` also stores the document. */
export async function label(row: App, document: DocumentLabels, { keeps = false } = {}): Promise<void> {
  const { tokenId, did, didHash, dataHash, dataUrl, traitHashes } = row;
  const record: OffchainRecord = {
    ...{ tokenId: String(tokenId), did, didHash, dataHash, dataUrl, algorithm: 0 },
    traitHashes: [...traitHashes],
  };
  const labels = recordLabels(record, document);
  const store = documentStore(workerDatabase, workerSchemas);
  if (keeps) await store.keep(record, { text: null, content: document, labels }, 1);
  else await store.label(record, labels, 1);
}

/** Returns the row of a record with JSON on the chain. */
export function documentRow(
  tokenId: bigint,
  record: Partial<App> & Pick<App, "did" | "traitHashes">,
  json: Uint8Array,
): App {
  const { name: _name, ...row } = record;
  return { ...appRow(tokenId, row), ...recordLabels(record, parseDocument(json)) };
}

/** Updates the statistics of words. */
export const analyze = async (): Promise<void> => void (await client.query("analyze app"));
