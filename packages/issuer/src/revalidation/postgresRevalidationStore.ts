import { sqlHostTurns } from "@app-registry/outbound/internal";
import { hashOfDid } from "@app-registry/sdk/internal";
import { migrate, type Query, type SqlPool, stored, unlessTaken } from "../sqlPool.ts";
import type { CheckableAttestation, RememberedAttestation } from "./rememberedAttestation.ts";
import {
  type OpenRevalidationStore,
  OVERDUE_AFTER,
  type RevalidationCounts,
  type RevalidationStore,
} from "./revalidationStore.ts";

const migration = `
  CREATE TABLE IF NOT EXISTS app_registry_issuer.dids (
    scope text NOT NULL,
    did_hash text NOT NULL,
    did text NOT NULL,
    PRIMARY KEY (scope, did_hash)
  );
  CREATE TABLE IF NOT EXISTS app_registry_issuer.attestations (
    scope text NOT NULL,
    schema text NOT NULL,
    did_hash text NOT NULL,
    subject text NOT NULL,
    block bigint NOT NULL,
    held_at bigint NOT NULL,
    failed_at bigint,
    unanswered integer NOT NULL,
    next_check_at bigint NOT NULL,
    PRIMARY KEY (scope, did_hash, schema, subject)
  );
  CREATE INDEX IF NOT EXISTS attestations_by_next_check
    ON app_registry_issuer.attestations (scope, next_check_at);
  CREATE TABLE IF NOT EXISTS app_registry_issuer.hosts (
    scope text NOT NULL,
    host text NOT NULL,
    free_at bigint NOT NULL,
    PRIMARY KEY (scope, host)
  );
  CREATE TABLE IF NOT EXISTS app_registry_issuer.event_cursors (
    scope text PRIMARY KEY,
    block bigint NOT NULL
  );`;

/**
 * A store that any number of processes share: one of them works at a time, by an advisory lock that ends with its
 * connection, and another one goes on where a dead one was. It creates its tables in the schema `app_registry_issuer`.
 *
 * @example
 * import { Pool } from "pg";
 *
 * const pool = new Pool({ connectionString: "postgres://localhost/app_registry" });
 * const revalidation = { openStore: createPostgresRevalidationStore(pool) };
 */
export const createPostgresRevalidationStore =
  (pool: SqlPool): OpenRevalidationStore =>
  async (scope) => {
    await migrate(pool, migration);
    return openScope(pool, scope);
  };

function openScope(pool: SqlPool, scope: string): RevalidationStore {
  const query: Query = (text, values = []) => stored(pool.query.bind(pool), text, [scope, ...values]);
  const rowsOf = async (text: string, values: unknown[]) =>
    (await stored(pool.query.bind(pool), text, values)).rows;
  return {
    unlessTaken: (task) => unlessTaken(pool, `revalidation ${scope}`, task),
    async readCursor() {
      const { rows } = await query("SELECT block FROM app_registry_issuer.event_cursors WHERE scope = $1");
      const row = (rows as { block: string }[])[0];
      return row && BigInt(row.block);
    },
    async writeCursor(block) {
      await query(
        `INSERT INTO app_registry_issuer.event_cursors (scope, block) VALUES ($1, $2)
         ON CONFLICT (scope) DO UPDATE SET block = excluded.block`,
        [String(block)],
      );
    },
    async rememberDid(did) {
      await query(
        `INSERT INTO app_registry_issuer.dids (scope, did_hash, did) VALUES ($1, $2, $3)
         ON CONFLICT (scope, did_hash) DO NOTHING`,
        [hashOfDid(did), did],
      );
    },
    async add(attestation) {
      const { rows } = await query(
        `WITH present AS (
           SELECT FROM app_registry_issuer.attestations
           WHERE scope = $1 AND schema = $2 AND did_hash = $3 AND subject = $4
         ), written AS (
           INSERT INTO app_registry_issuer.attestations AS known
             (scope, schema, did_hash, subject, block, held_at, failed_at, unanswered, next_check_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
           ON CONFLICT (scope, did_hash, schema, subject) DO UPDATE SET block = excluded.block,
             held_at = excluded.held_at, failed_at = excluded.failed_at, unanswered = excluded.unanswered,
             next_check_at = excluded.next_check_at
             WHERE known.block < excluded.block
         )
         SELECT NOT EXISTS (SELECT FROM present) AS added`,
        toValues(attestation),
      );
      return (rows as { added: boolean }[])[0]?.added === true;
    },
    async remove({ schema, didHash: hash, subject }, upTo) {
      await query(
        `DELETE FROM app_registry_issuer.attestations
         WHERE scope = $1 AND schema = $2 AND did_hash = $3 AND subject = $4 AND block <= $5`,
        [schema, hash, subject, String(upTo)],
      );
    },
    async save(attestation) {
      await query(
        `UPDATE app_registry_issuer.attestations
         SET block = $5, held_at = $6, failed_at = $7, unanswered = $8, next_check_at = $9
         WHERE scope = $1 AND schema = $2 AND did_hash = $3 AND subject = $4`,
        toValues(attestation),
      );
    },
    async makeDue({ didHash: hash, except, heldBefore, at }) {
      await query(
        `UPDATE app_registry_issuer.attestations SET next_check_at = least(next_check_at, $5::bigint)
         WHERE scope = $1 AND schema = 'did-ownership' AND did_hash = $2 AND subject <> $3 AND held_at < $4`,
        [hash, except, heldBefore, at],
      );
    },
    async listDue(now, limit) {
      const { rows } = await query(
        `SELECT * FROM app_registry_issuer.attestations NATURAL JOIN app_registry_issuer.dids
         WHERE scope = $1 AND next_check_at <= $2 ORDER BY next_check_at LIMIT $3`,
        [now, limit],
      );
      return (rows as CheckableRow[]).map(fromRow);
    },
    ...sqlHostTurns(rowsOf, "app_registry_issuer.hosts", scope),
    async hostFreeAt(host) {
      const { rows } = await query(
        "SELECT free_at FROM app_registry_issuer.hosts WHERE scope = $1 AND host = $2",
        [host],
      );
      return Number((rows as { free_at: string }[])[0]?.free_at ?? 0);
    },
    async count(now) {
      const { rows } = await query(
        `SELECT count(*)::int AS attestations,
           count(did) FILTER (WHERE next_check_at <= $2)::int AS due,
           count(did) FILTER (WHERE next_check_at <= $3)::int AS overdue,
           count(failed_at)::int AS failing,
           count(*) FILTER (WHERE unanswered > 0)::int AS unanswered,
           count(*) FILTER (WHERE did IS NULL)::int AS "unknownDids"
         FROM app_registry_issuer.attestations NATURAL LEFT JOIN app_registry_issuer.dids
         WHERE scope = $1`,
        [now, now - OVERDUE_AFTER],
      );
      return rows[0] as RevalidationCounts;
    },
  };
}

function toValues(attestation: RememberedAttestation): unknown[] {
  const { schema, didHash: hash, subject, block, heldAt, failedAt, unanswered, nextCheckAt } = attestation;
  return [schema, hash, subject, String(block), heldAt, failedAt ?? null, unanswered, nextCheckAt];
}

type CheckableRow = Pick<CheckableAttestation, "schema" | "subject" | "did" | "unanswered"> & {
  did_hash: CheckableAttestation["didHash"];
  block: string;
  held_at: string;
  failed_at: string | null;
  next_check_at: string;
};

function fromRow(row: CheckableRow): CheckableAttestation {
  const { schema, did_hash, subject, did, unanswered } = row;
  return {
    schema,
    didHash: did_hash,
    subject,
    did,
    unanswered,
    block: BigInt(row.block),
    heldAt: Number(row.held_at),
    failedAt: row.failed_at === null ? undefined : Number(row.failed_at),
    nextCheckAt: Number(row.next_check_at),
  };
}
