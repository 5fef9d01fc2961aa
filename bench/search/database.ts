import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  canonicalizeValue,
  dataHash,
  dataUrlPath,
  didHash,
  toServerName,
  traitHash,
} from "@app-registry/sdk";
import { getDidSite } from "../../packages/index/src/document/keys.ts";
import { parseDocument } from "../../packages/index/src/document/parseDocument.ts";
import { recordLabels } from "../../packages/index/src/document/recordLabels.ts";
import { createTables, quoteSchemas, toColumns } from "../../packages/index/src/workerTables.ts";
import { recordAt } from "../records.ts";
import { benchDirectory, type Chain, startDatabase, startIndexer } from "../stack.ts";

/** Time of the first block in Unix seconds, early enough that no block of the data is newer than the chain's. */
const FIRST_TIMESTAMP = 1_600_000_000;
/** End of 2099 in Unix seconds. */
const FAR_FUTURE_EXPIRY = 4_102_444_799;
const issuer = `0x${"f0".padStart(40, "0")}`;

/** One record in this many has its document at its dataUrl, and one has never responded. */
const OFFCHAIN_SHARE = 10;

/** Returns true if a record's document is only at its dataUrl, where the bare server doesn't search. */
export const isOffchain = (index: number): boolean => index % OFFCHAIN_SHARE === 0;

const { index: INDEX, offchain: OFFCHAIN } = quoteSchemas(31337, "app_registry");

type Row = Record<string, unknown>;

/** Returns the rows of a record by table, with the labels and words of indexer and worker. */
function makeRows(index: number): Record<string, Row[]> {
  const { owner, metadata, ...record } = recordAt(index);
  const json = canonicalizeValue(metadata);
  const traitHashes = metadata.traits.map(traitHash);
  const keys = { didHash: didHash(record.did), dataHash: dataHash(json, 0) };
  const at = FIRST_TIMESTAMP + index * 37;
  const run = {
    ...{ issuer, startedAt: at, statedAt: at, expiresAt: FAR_FUTURE_EXPIRY },
    ...{ isEndFinal: false, transactionHash: keys.dataHash },
  };
  const hasDocumentElsewhere = isOffchain(index);
  const labels = recordLabels({ did: record.did, traitHashes }, parseDocument(Buffer.from(json)));
  const app = {
    ...{ ...record, ...keys, major: 1, minor: 0, patch: 0, dataHashAlgorithm: 0, traitHashes },
    ...{ contractId: "", fungibleTokenId: "", owner, minter: owner, hasMinterLost: false },
    pointer: hasDocumentElsewhere ? null : owner,
    dataUrl: `https://registry.example${dataUrlPath(record.did, { major: 1, minor: 0, patch: 0 })}`,
    ...{ mintedAt: at, publishedAt: at, changedAt: at, changedBlock: index + 1 },
    ...{ serverName: toServerName(record.did), site: getDidSite(record.did) },
    unproven: 0,
    ...(hasDocumentElsewhere ? recordLabels({ did: record.did, traitHashes }, null) : labels),
  };
  const { tokenId, dataUrl } = app;
  const version = { tokenId, ...keys, algorithm: 0 };
  const outcome = index % OFFCHAIN_SHARE === 1 ? "unreachable" : "answers";
  const answer = { outcome, endpoints: [] };
  const served = { did: record.did, dataUrl, traitHashes, state: "served", checkedAt: at };
  const probe = { queuedHash: keys.dataHash, outcome, drift: "same", answer, probedAt: at, answeredAt: at };
  return {
    record: hasDocumentElsewhere ? [{ ...version, ...served }] : [],
    label: hasDocumentElsewhere ? [{ ...version, traitHashes, ...labels, labelledAt: at }] : [],
    probe: [{ ...version, ...probe, alive: outcome === "answers", drifted: false }],
    app: [app],
    trait: metadata.traits.map((label, place) => ({ hash: traitHashes[place], label })),
    issuer: [{ address: issuer, status: "active", addedAt: FIRST_TIMESTAMP }],
    did_attestation: [{ ...keys, ...run, controller: owner, maturesAt: at }],
    data_hash_attestation: [{ ...keys, ...run }],
  };
}

/** Number of records per insert. */
const CHUNK = 1_000;

/**
 * Returns the folder of a PostgreSQL with `count` records: that of an earlier run, or a new one. Ponder creates the
 * tables by starting on a chain without records, and after that the indexes of the loaded ones.
 */
export async function prepareDatabase(count: number, chain: Chain): Promise<string> {
  const directory = join(benchDirectory, "databases", String(count));
  const done = `${directory}.done`;
  if (await stat(done).catch(() => undefined)) return directory;
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const server = await startDatabase(directory, { fsync: "off", wal_level: "minimal", max_wal_senders: "0" });
  const pool = server.connect();
  const connection = await pool.connect();
  try {
    await (await startIndexer(chain, server.url)).stop();
    const run = async (script: string) => void (await connection.query(script));
    const query = async () => [];
    await createTables({ query, run }, { index: INDEX, offchain: OFFCHAIN });
    const { rows: indexes } = await connection.query<{ name: string }>(
      `select indexname as name from pg_indexes where schemaname = 'app_registry' and indexname !~ '_pk(ey)?$'
       and tablename = any($1)`,
      [Object.keys(makeRows(0))],
    );
    for (const { name } of indexes) await connection.query(`drop index app_registry."${name}"`);
    // Disable the triggers that store undo data for reorganizations, because these records are final.
    await connection.query("set session_replication_role = replica");
    for (let start = 0; start < count; start += CHUNK) {
      const made = Array.from({ length: Math.min(CHUNK, count - start) }, (_, place) =>
        makeRows(start + place),
      );
      for (const table of Object.keys(made[0] ?? {})) {
        const rows = made.flatMap((rows) => rows[table] ?? []).map(toColumns);
        const name = `${["record", "label", "probe"].includes(table) ? OFFCHAIN : INDEX}.${table}`;
        await connection.query(
          `insert into ${name} select * from jsonb_populate_recordset(null::${name}, $1) on conflict do nothing`,
          [JSON.stringify(rows)],
        );
      }
    }
    await connection.query("vacuum (analyze)");
  } finally {
    connection.release();
    await pool.end();
    await server.stop();
  }
  await writeFile(done, "");
  return directory;
}
