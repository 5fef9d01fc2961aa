import { createKeyedLock } from "@app-registry/outbound/internal";
import type { IssuerTransaction, MinedTransaction, SignedAttempt } from "./issuerTransaction.ts";
import { migrate, type Query, queryStore, type SqlPool, withAdvisoryLock } from "./sqlPool.ts";

/**
 * Store of the transactions of one issuer key on one chain: all open ones, and recently mined ones. A transaction is
 * stored before it is sent, so the store contains every transaction that a node may have.
 */
export type TransactionStore = {
  /** Runs one task at a time among all processes that share the store. */
  exclusively<T>(task: () => Promise<T>): Promise<T>;
  /** Lists all transactions, the lowest nonce first. */
  list(): Promise<IssuerTransaction[]>;
  /** Finds the transaction of a key with the highest nonce. */
  find(key: string): Promise<IssuerTransaction | undefined>;
  /**
   * Adds an open transaction. Replaces a mined one with the same nonce, which a reorganization has reverted.
   * @returns False, with nothing added, if another open transaction has the same nonce or key.
   */
  insert(transaction: IssuerTransaction): Promise<boolean>;
  /** Adds a signed replacement to an open transaction. */
  addAttempt(nonce: number, attempt: SignedAttempt): Promise<void>;
  /** Records the mined transaction of a nonce. */
  settle(nonce: number, mined: MinedTransaction): Promise<void>;
  /** Removes a transaction that can no longer be mined. */
  remove(nonce: number): Promise<void>;
  /** Removes mined transactions whose latest attempt was signed before a time, in Unix milliseconds. */
  prune(before: number): Promise<void>;
};

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
 * Opens the store of one issuer key on one chain, which `scope` identifies. Any number of processes can share it. One
 * process sends at a time, by an advisory lock that ends with its database transaction, so a crash can't leave it
 * locked.
 * @throws {IssuerStoreError} if the database does not respond.
 */
export async function openTransactionStore(pool: SqlPool, scope: string): Promise<TransactionStore> {
  await migrate(pool, migration);
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
