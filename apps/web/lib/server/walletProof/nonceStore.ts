import type { Pool } from "pg";
import { generateSiweNonce } from "viem/siwe";

/** Seconds for which a nonce can be used. */
const NONCE_LIFETIME = 600;

/** Most nonces that one process remembers; the oldest go first. */
const MAX_NONCES = 10_000;

/** Nonces that are each good for one proof. */
export type NonceStore = {
  issue(): Promise<{ nonce: string; expiresAt: Date }>;
  /** Uses a nonce up; false when it was never issued, was used or is too old. */
  take(nonce: string): Promise<boolean>;
};

/** Keeps nonces in this process's memory or, with a pool, in PostgreSQL for all processes that share it. */
export function createNonceStore(pool: Pool | undefined): NonceStore {
  return pool ? postgresNonces(pool) : memoryNonces();
}

const expiry = () => new Date(Date.now() + NONCE_LIFETIME * 1_000);

function memoryNonces(): NonceStore {
  const issued = new Map<string, Date>();
  return {
    async issue() {
      const nonce = generateSiweNonce();
      const expiresAt = expiry();
      issued.set(nonce, expiresAt);
      const [oldest] = issued.keys();
      if (issued.size > MAX_NONCES && oldest) issued.delete(oldest);
      return { nonce, expiresAt };
    },
    async take(nonce) {
      const expiresAt = issued.get(nonce);
      issued.delete(nonce);
      return expiresAt !== undefined && expiresAt.getTime() > Date.now();
    },
  };
}

function postgresNonces(pool: Pool): NonceStore {
  let ready: Promise<unknown> | undefined;
  const prepare = async () => {
    ready ??= pool.query(
      `SELECT pg_advisory_xact_lock(hashtext('app_registry_limits'));
       CREATE SCHEMA IF NOT EXISTS app_registry_limits;
       CREATE TABLE IF NOT EXISTS app_registry_limits.nonces (nonce text PRIMARY KEY, expires timestamptz NOT NULL);`,
    );
    try {
      await ready;
    } catch (error) {
      ready = undefined;
      throw error;
    }
  };
  return {
    async issue() {
      await prepare();
      const nonce = generateSiweNonce();
      const expiresAt = expiry();
      await pool.query("DELETE FROM app_registry_limits.nonces WHERE expires < now()");
      await pool.query("INSERT INTO app_registry_limits.nonces VALUES ($1, $2)", [nonce, expiresAt]);
      return { nonce, expiresAt };
    },
    async take(nonce) {
      await prepare();
      const { rowCount } = await pool.query(
        "DELETE FROM app_registry_limits.nonces WHERE nonce = $1 AND expires > now()",
        [nonce],
      );
      return rowCount === 1;
    },
  };
}
