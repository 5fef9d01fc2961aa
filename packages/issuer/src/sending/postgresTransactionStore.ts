import { createKeyedLock } from "@app-registry/outbound/internal";
import type { IssuerTransaction, MinedTransaction, SignedAttempt } from "./issuerTransaction.ts";
import { migrate, type Query, queryStore, type SqlPool, withAdvisoryLock } from "./sqlPool.ts";
import type { OpenTransactionStore, TransactionStore } from "./transactionStore.ts";

const migration = `
  CREATE TABLE IF NOT EXISTS app_registry_issuer.transactions (
    scope text NOT NULL,
    nonce bigint NOT NULL,
    key text NOT NULL,
    recipient text NOT NULL,
    data text NOT NULL,
    gas numeric NOT NULL,
    attempts jsonb NOT NULL,
    mined jsonb,
    client text,
    PRIMARY KEY (scope, nonce)
  );
  CREATE UNIQUE INDEX IF NOT EXISTS one_open_transaction_per_key
    ON app_registry_issuer.transactions (scope, key) WHERE mined IS NULL;
  CREATE INDEX IF NOT EXISTS transactions_by_key ON app_registry_issuer.transactions (scope, key, nonce);`;

/**
 * Creates a store that any number of processes can share. Creates its table in the schema `app_registry_issuer`. One
 * process sends at a time, by an advisory lock that ends with its database transaction, so a crash can't leave it
 * locked.
 *
 * @example
 * import { Pool } from "pg";
 *
 * const pool = new Pool({ connectionString: "postgres://localhost/app_registry" });
 * const openTransactionStore = createPostgresTransactionStore(pool);
 */
export const createPostgresTransactionStore =
  (pool: SqlPool): OpenTransactionStore =>
  async (scope) => {
    await migrate(pool, migration);
    return openScope(pool, scope);
  };

function openScope(pool: SqlPool, scope: string): TransactionStore {
  // Use one connection per process so that waiting requests cannot exhaust the pool.
  const lock = createKeyedLock();
  const query: Query = (text, values = []) => queryStore(pool.query.bind(pool), text, [scope, ...values]);
  const select = async (rest: string, values?: unknown[]) => {
    const { rows } = await query(
      `SELECT * FROM app_registry_issuer.transactions WHERE scope = $1 ${rest}`,
      values,
    );
    return (rows as TransactionRow[]).map(fromRow);
  };
  const update = async (change: string, values: unknown[]) => {
    const where = "WHERE scope = $1 AND nonce = $2 AND mined IS NULL";
    await query(`UPDATE app_registry_issuer.transactions SET ${change} ${where}`, values);
  };
  return {
    exclusively: (task) => lock("", () => withAdvisoryLock(pool, scope, task)),
    list: () => select("ORDER BY nonce"),
    find: async (key) => (await select("AND key = $2 ORDER BY nonce DESC LIMIT 1", [key]))[0],
    async insert({ nonce, key, client = null, to, data, gas, attempts }) {
      const { rowCount } = await query(
        `INSERT INTO app_registry_issuer.transactions AS present
           (scope, nonce, key, recipient, data, gas, attempts, client)
         SELECT $1::text, $2::bigint, $3::text, $4::text, $5::text, $6::numeric, $7::jsonb, $8::text WHERE NOT EXISTS (
           SELECT FROM app_registry_issuer.transactions
           WHERE scope = $1 AND mined IS NULL AND (nonce = $2::bigint OR key = $3::text))
         ON CONFLICT (scope, nonce) DO UPDATE SET key = excluded.key, recipient = excluded.recipient,
           data = excluded.data, gas = excluded.gas, attempts = excluded.attempts,
           client = excluded.client, mined = NULL
           WHERE present.mined IS NOT NULL`,
        [nonce, key, to, data, String(gas), JSON.stringify(attempts.map(attemptToJson)), client],
      );
      return rowCount === 1;
    },
    addAttempt: (nonce, attempt) =>
      update("attempts = attempts || $3::jsonb", [nonce, JSON.stringify([attemptToJson(attempt)])]),
    settle: (nonce, mined) =>
      update("mined = $3", [nonce, JSON.stringify({ ...mined, blockNumber: String(mined.blockNumber) })]),
    async remove(nonce) {
      await query("DELETE FROM app_registry_issuer.transactions WHERE scope = $1 AND nonce = $2", [nonce]);
    },
    async prune(before) {
      await query(
        `DELETE FROM app_registry_issuer.transactions
         WHERE scope = $1 AND mined IS NOT NULL AND (attempts->-1->>'signedAt')::bigint < $2`,
        [before],
      );
    },
  };
}

type AttemptJson = Omit<SignedAttempt, "maxFeePerGas" | "maxPriorityFeePerGas"> & {
  maxFeePerGas: string;
  maxPriorityFeePerGas: string;
};

type TransactionRow = Pick<IssuerTransaction, "key" | "data"> & {
  nonce: string;
  recipient: IssuerTransaction["to"];
  gas: string;
  attempts: AttemptJson[];
  mined: (Omit<MinedTransaction, "blockNumber"> & { blockNumber: string }) | null;
  client: string | null;
};

const attemptToJson = (attempt: SignedAttempt): AttemptJson => ({
  ...attempt,
  maxFeePerGas: String(attempt.maxFeePerGas),
  maxPriorityFeePerGas: String(attempt.maxPriorityFeePerGas),
});

function fromRow({
  nonce,
  key,
  recipient: to,
  data,
  gas,
  attempts,
  mined,
  client,
}: TransactionRow): IssuerTransaction {
  return {
    nonce: Number(nonce),
    key,
    ...(client !== null && { client }),
    to,
    data,
    gas: BigInt(gas),
    attempts: attempts.map((attempt) => ({
      ...attempt,
      maxFeePerGas: BigInt(attempt.maxFeePerGas),
      maxPriorityFeePerGas: BigInt(attempt.maxPriorityFeePerGas),
    })),
    mined: mined ? { ...mined, blockNumber: BigInt(mined.blockNumber) } : undefined,
  };
}
