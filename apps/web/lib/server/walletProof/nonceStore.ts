import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "@app-registry/server/once";
import type { Pool } from "pg";

/** Lifetime of a nonce, in seconds: enough to correct a did.json and try again. */
export const NONCE_LIFETIME = 1_800;

/**
 * Store of nonces that are each valid for one subject. A nonce contains its issue time and an HMAC of its server, so it
 * needs no storage before use, and nobody can evict other nonces by requesting many.
 */
export type NonceStore = {
  issue(): Promise<{ nonce: string; issuedAt: Date; expiresAt: Date }>;
  /**
   * Binds a nonce to the first subject that uses it. Returns true for that subject, also on reuse. Returns false if the
   * nonce was never issued, has expired or is bound to another subject.
   */
  bind(nonce: string, subject: string): Promise<boolean>;
};

/** Creates a store in PostgreSQL, for all processes that share the database. */
export function createNonceStore(pool: Pool): NonceStore {
  const readKey = once(() => createKey(pool));
  return {
    async issue() {
      const issuedAt = new Date();
      const time = issuedAt.getTime().toString(16).padStart(TIME_LENGTH, "0");
      const text = `${time}${randomBytes(16).toString("hex")}`;
      const nonce = text + computeMac(text, await readKey());
      return { nonce, issuedAt, expiresAt: getExpiry(nonce) };
    },
    async bind(nonce, subject) {
      if (!/^[0-9a-f]{76}$/.test(nonce)) return false;
      const expected = Buffer.from(computeMac(nonce.slice(0, TEXT_LENGTH), await readKey()));
      if (!timingSafeEqual(expected, Buffer.from(nonce.slice(TEXT_LENGTH)))) return false;
      const expiresAt = getExpiry(nonce);
      if (expiresAt.getTime() <= Date.now()) return false;
      await pool.query("DELETE FROM app_registry_limits.nonces WHERE expires < now()");
      // Of two concurrent inserts, the second waits for the first row and then sees its subject.
      const { rowCount } = await pool.query(
        `INSERT INTO app_registry_limits.nonces (nonce, expires, subject) VALUES ($1, $2, $3)
         ON CONFLICT (nonce) DO UPDATE SET subject = excluded.subject WHERE nonces.subject = excluded.subject`,
        [nonce, expiresAt, subject],
      );
      return rowCount === 1;
    },
  };
}

/** Length of the time in milliseconds, and of the time with the random part, in hexadecimal digits. */
const TIME_LENGTH = 12;
const TEXT_LENGTH = TIME_LENGTH + 32;

const computeMac = (text: string, key: Buffer) =>
  createHmac("sha256", key).update(text).digest("hex").slice(0, 32);

const getExpiry = (nonce: string) =>
  new Date(Number.parseInt(nonce.slice(0, TIME_LENGTH), 16) + NONCE_LIFETIME * 1_000);

/** Creates the tables if they are missing, and returns the key that all processes share. */
async function createKey(pool: Pool): Promise<Buffer> {
  await pool.query(
    `SELECT pg_advisory_xact_lock(hashtext('app_registry_limits'));
     CREATE SCHEMA IF NOT EXISTS app_registry_limits;
     CREATE TABLE IF NOT EXISTS app_registry_limits.nonces (
       nonce text PRIMARY KEY, expires timestamptz NOT NULL, subject text NOT NULL);
     CREATE TABLE IF NOT EXISTS app_registry_limits.nonce_key (id int PRIMARY KEY CHECK (id = 1), key bytea NOT NULL);`,
  );
  const table = "app_registry_limits.nonce_key";
  await pool.query(`INSERT INTO ${table} VALUES (1, $1) ON CONFLICT DO NOTHING`, [randomBytes(32)]);
  const { rows } = await pool.query<{ key: Buffer }>(`SELECT key FROM ${table}`);
  if (!rows[0]) throw new Error("The nonce key is missing.");
  return rows[0].key;
}
