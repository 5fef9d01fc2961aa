import { createKeyedLock } from "@app-registry/outbound/internal";
import { keccak256, stringToBytes } from "viem";
import {
  highestCost,
  type IssuerTransaction,
  type MinedTransaction,
  type SignedAttempt,
} from "./issuerTransaction.ts";
import { IssuerStoreError } from "./sendingErrors.ts";
import { SPENDING_WINDOW, type Spending } from "./spendingCap.ts";

export type Query = (
  text: string,
  values?: unknown[],
) => Promise<{ rows: unknown[]; rowCount: number | null }>;

type SqlClient = {
  query: Query;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
  release(destroy?: boolean): void;
};

/**
 * Subset of a `pg` Pool. It needs at least two connections, because sending holds one, and three with revalidation,
 * which holds another one during a pass.
 */
export type SqlPool = {
  query: Query;
  /** Reserves a connection for a transaction. */
  connect(): Promise<SqlClient>;
};

/** Maximum time to wait for a lock of another process, in milliseconds. */
const LOCK_TIMEOUT = 30_000;

/** Runs a query. @throws {IssuerStoreError} (retryable) if the query fails. */
export async function queryStore(query: Query, text: string, values?: unknown[]): ReturnType<Query> {
  try {
    return await query(text, values);
  } catch (error) {
    throw new IssuerStoreError(error);
  }
}

/** Creates tables in the schema `app_registry_issuer`. */
export async function migrate(pool: SqlPool, migration: string): Promise<void> {
  const create = () =>
    queryStore(pool.query.bind(pool), `CREATE SCHEMA IF NOT EXISTS app_registry_issuer; ${migration}`);
  // Lock, because two processes that create a table at the same time would conflict.
  await withAdvisoryLock(pool, "app_registry_issuer", create);
}

/** Runs a task once no other process is running one with the same lock name. */
function withAdvisoryLock<T>(pool: SqlPool, name: string, task: () => Promise<T>): Promise<T> {
  return withConnection(pool, async (query) => {
    await queryStore(query, "SELECT pg_advisory_xact_lock($1)", [toLockId(name)]);
    return task();
  });
}

/** Runs a task unless another process is running one with the same lock name. Then returns `undefined`. */
export function tryWithAdvisoryLock<T>(
  pool: SqlPool,
  name: string,
  task: () => Promise<T>,
): Promise<T | undefined> {
  return withConnection(pool, async (query) => {
    const { rows } = await queryStore(query, "SELECT pg_try_advisory_xact_lock($1) AS free", [
      toLockId(name),
    ]);
    return (rows as { free: boolean }[])[0]?.free ? task() : undefined;
  });
}

/** Runs a task in its own transaction, so that an advisory lock ends with the process at the latest. */
async function withConnection<T>(pool: SqlPool, task: (query: Query) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw new IssuerStoreError(error);
  });
  const query = client.query.bind(client);
  // Handle the event: an unhandled error of a broken connection would end the process. The next query reports it.
  const ignore = () => undefined;
  client.on("error", ignore);
  let ended = false;
  try {
    await queryStore(query, `BEGIN; SET LOCAL lock_timeout = ${LOCK_TIMEOUT}`);
    return await task(query);
  } finally {
    // Commit only to release the lock: the task wrote through other connections, so there is nothing to roll back.
    ended = await query("COMMIT").then(
      () => true,
      () => false,
    );
    client.off("error", ignore);
    client.release(!ended);
  }
}

/** Returns the ID of a lock: 64 bits of the hash of its name. */
const toLockId = (name: string): string =>
  String(BigInt.asIntN(64, BigInt(keccak256(stringToBytes(name)).slice(0, 18))));

/**
 * Store of the transactions of one issuer key on one chain: all open ones, and recently mined ones. A transaction is
 * stored before it is sent, so the store contains every transaction that a node may have.
 */
export type TransactionStore = {
  /** Runs one task at a time among all processes that share the store. */
  exclusively<T>(task: () => Promise<T>): Promise<T>;
  /** Lists open transactions, the lowest nonce first, at most 100. */
  listOpen(): Promise<IssuerTransaction[]>;
  /** Counts open transactions, and those first signed before a time, in Unix milliseconds. */
  countOpen(before: number): Promise<{ open: number; stuck: number }>;
  /** Finds the transaction of a statement's key with the highest nonce. */
  find(key: string): Promise<IssuerTransaction | undefined>;
  get(nonce: number): Promise<IssuerTransaction | undefined>;
  /** Lists the nonces of a range, without its end, that the store contains. */
  listNonces(from: number, end: number): Promise<number[]>;
  /** Finds the lowest nonce from a number on that no open transaction has. */
  findFreeNonce(from: number): Promise<number>;
  /** Reads what all transactions spent in the spending window (`""`), and what each client's share of them is. */
  readSpending(clients?: readonly string[]): Promise<Map<string, Spending>>;
  /**
   * Adds an open transaction. Replaces a mined one with the same nonce, which a reorganization has reverted.
   * @returns False, with nothing added, if another open transaction has the same nonce or a statement of it.
   */
  insert(transaction: IssuerTransaction): Promise<boolean>;
  /** Adds a signed replacement to an open transaction. `cost` is the new maximum cost of the transaction, in wei. */
  addAttempt(nonce: number, attempt: SignedAttempt, cost: bigint): Promise<void>;
  /** Records the mined transaction of a nonce. */
  settle(nonce: number, mined: MinedTransaction): Promise<void>;
  /** Removes a transaction that can no longer be mined. */
  remove(nonce: number): Promise<void>;
  /** Removes mined transactions whose latest attempt was signed before a time, in Unix milliseconds. */
  prune(before: number): Promise<void>;
};

const MINUTE = 60_000;

// `spending` has a sum per minute, so that what an hour's transactions cost is known from 60 rows, however many they
// are. Its client "" is everybody.
const migration = `
  CREATE TABLE IF NOT EXISTS app_registry_issuer.sent_transactions (
    scope text NOT NULL,
    nonce bigint NOT NULL,
    recipient text NOT NULL,
    data text NOT NULL,
    gas numeric NOT NULL,
    attempts jsonb NOT NULL,
    signed_at bigint NOT NULL,
    mined jsonb,
    PRIMARY KEY (scope, nonce)
  );
  CREATE INDEX IF NOT EXISTS open_transactions
    ON app_registry_issuer.sent_transactions (scope, nonce) WHERE mined IS NULL;
  CREATE INDEX IF NOT EXISTS mined_transactions
    ON app_registry_issuer.sent_transactions (scope, signed_at) WHERE mined IS NOT NULL;
  CREATE TABLE IF NOT EXISTS app_registry_issuer.sent_statements (
    scope text NOT NULL,
    nonce bigint NOT NULL,
    key text NOT NULL,
    client text,
    cost numeric NOT NULL,
    open boolean NOT NULL DEFAULT true,
    PRIMARY KEY (scope, nonce, key),
    FOREIGN KEY (scope, nonce) REFERENCES app_registry_issuer.sent_transactions ON DELETE CASCADE
  );
  CREATE UNIQUE INDEX IF NOT EXISTS one_open_transaction_per_statement
    ON app_registry_issuer.sent_statements (scope, key) WHERE open;
  CREATE INDEX IF NOT EXISTS statements_by_key ON app_registry_issuer.sent_statements (scope, key, nonce);
  CREATE TABLE IF NOT EXISTS app_registry_issuer.spending (
    scope text NOT NULL,
    client text NOT NULL,
    minute bigint NOT NULL,
    cost numeric NOT NULL,
    PRIMARY KEY (scope, client, minute)
  );
  CREATE INDEX IF NOT EXISTS spending_by_minute ON app_registry_issuer.spending (scope, minute);`;

/** Names to which the cost of a statement counts: everybody and its client. */
const PAYERS =
  "CROSS JOIN LATERAL (SELECT DISTINCT unnest(ARRAY['', coalesce(client, '')]) AS payer) AS payers";

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
  const read = async <Row>(text: string, values?: unknown[]) => (await query(text, values)).rows as Row[];
  const select = async (rest: string, values?: unknown[]) => {
    const rows = await read<TransactionRow>(
      `SELECT sent.*, (
         SELECT json_agg(json_build_object('key', key, 'client', client) ORDER BY key)
         FROM app_registry_issuer.sent_statements WHERE scope = sent.scope AND nonce = sent.nonce
       ) AS statements
       FROM app_registry_issuer.sent_transactions AS sent WHERE scope = $1 ${rest}`,
      values,
    );
    return rows.map(fromRow);
  };
  return {
    exclusively: (task) => lock("", () => withAdvisoryLock(pool, scope, task)),
    listOpen: () => select("AND mined IS NULL ORDER BY nonce LIMIT 100"),
    async countOpen(before) {
      const [counts] = await read<{ open: string; stuck: string }>(
        `SELECT count(*) AS open, count(*) FILTER (WHERE (attempts->0->>'signedAt')::bigint < $2) AS stuck
         FROM app_registry_issuer.sent_transactions WHERE scope = $1 AND mined IS NULL`,
        [before],
      );
      return { open: Number(counts?.open), stuck: Number(counts?.stuck) };
    },
    async find(key) {
      const last = `SELECT nonce FROM app_registry_issuer.sent_statements
        WHERE scope = $1 AND key = $2 ORDER BY nonce DESC LIMIT 1`;
      return (await select(`AND nonce = (${last})`, [key]))[0];
    },
    get: async (nonce) => (await select("AND nonce = $2", [nonce]))[0],
    async listNonces(from, end) {
      const rows = await read<{ nonce: string }>(
        "SELECT nonce FROM app_registry_issuer.sent_transactions WHERE scope = $1 AND nonce >= $2 AND nonce < $3",
        [from, end],
      );
      return rows.map(({ nonce }) => Number(nonce));
    },
    async findFreeNonce(from) {
      const [lowest] = await read<{ nonce: string }>(
        `WITH used AS MATERIALIZED (
           SELECT nonce FROM app_registry_issuer.sent_transactions
           WHERE scope = $1 AND mined IS NULL AND nonce >= $2)
         SELECT min(nonce) AS nonce FROM (SELECT $2::bigint AS nonce UNION ALL SELECT nonce + 1 FROM used) AS free
         WHERE NOT EXISTS (SELECT FROM used WHERE used.nonce = free.nonce)`,
        [from],
      );
      return Number(lowest?.nonce);
    },
    async readSpending(clients = []) {
      const payers = [...new Set(["", ...clients])];
      const rows = await read<{ payer: string; minute: string | null; cost: string }>(
        `SELECT payer, NULL AS minute, sum(cost) AS cost FROM app_registry_issuer.sent_statements ${PAYERS}
         WHERE scope = $1 AND open AND payer = ANY($2) GROUP BY payer
         UNION ALL
         SELECT client, minute, cost FROM app_registry_issuer.spending
         WHERE scope = $1 AND client = ANY($2) AND minute >= $3 ORDER BY minute`,
        [payers, Math.floor((Date.now() - SPENDING_WINDOW) / MINUTE)],
      );
      const spending = new Map<string, Spending>(payers.map((payer) => [payer, { open: 0n, mined: [] }]));
      for (const { payer, minute, cost } of rows) {
        const own = spending.get(payer);
        if (own && minute === null) own.open = BigInt(cost);
        else own?.mined.push({ cost: BigInt(cost), until: (Number(minute) + 1) * MINUTE + SPENDING_WINDOW });
      }
      return spending;
    },
    async insert(transaction) {
      const { nonce, statements, to, data, gas, attempts } = transaction;
      await query(
        "DELETE FROM app_registry_issuer.sent_transactions WHERE scope = $1 AND nonce = $2 AND mined IS NOT NULL",
        [nonce],
      );
      const { rowCount } = await query(
        `WITH added AS (
           INSERT INTO app_registry_issuer.sent_transactions
             (scope, nonce, recipient, data, gas, attempts, signed_at)
           SELECT $1::text, $2::bigint, $3::text, $4::text, $5::numeric, $6::jsonb, $7::bigint WHERE NOT EXISTS (
             SELECT FROM app_registry_issuer.sent_statements WHERE scope = $1 AND open AND key = ANY($8))
           ON CONFLICT (scope, nonce) DO NOTHING
           RETURNING nonce)
         INSERT INTO app_registry_issuer.sent_statements (scope, nonce, key, client, cost)
         SELECT $1::text, nonce, key, client, $10::numeric
         FROM added CROSS JOIN unnest($8::text[], $9::text[]) AS stated (key, client)`,
        [
          nonce,
          ...[to, data, String(gas), JSON.stringify(attempts.map(attemptToJson)), attempts.at(-1)?.signedAt],
          ...[statements.map(({ key }) => key), statements.map(({ client }) => client ?? null)],
          String(divideUp(highestCost(transaction), statements.length)),
        ],
      );
      return rowCount !== 0;
    },
    async addAttempt(nonce, attempt, cost) {
      await query(
        `WITH changed AS (
           UPDATE app_registry_issuer.sent_transactions SET attempts = attempts || $3::jsonb, signed_at = $4
           WHERE scope = $1 AND nonce = $2 AND mined IS NULL RETURNING nonce)
         UPDATE app_registry_issuer.sent_statements SET cost = ceil($5::numeric / (
           SELECT count(*) FROM app_registry_issuer.sent_statements WHERE scope = $1 AND nonce = $2))
         FROM changed WHERE scope = $1 AND sent_statements.nonce = changed.nonce`,
        [nonce, JSON.stringify([attemptToJson(attempt)]), attempt.signedAt, String(cost)],
      );
    },
    async settle(nonce, mined) {
      await query(
        `WITH changed AS (
           UPDATE app_registry_issuer.sent_transactions SET mined = $3
           WHERE scope = $1 AND nonce = $2 AND mined IS NULL RETURNING nonce, signed_at),
         closed AS (
           UPDATE app_registry_issuer.sent_statements SET open = false
           FROM changed WHERE scope = $1 AND sent_statements.nonce = changed.nonce
           RETURNING client, cost, signed_at / ${MINUTE} AS minute)
         INSERT INTO app_registry_issuer.spending AS spent (scope, client, minute, cost)
         SELECT $1::text, payer, minute, sum(cost) FROM closed ${PAYERS} GROUP BY payer, minute ORDER BY payer
         ON CONFLICT (scope, client, minute) DO UPDATE SET cost = spent.cost + excluded.cost`,
        [nonce, JSON.stringify({ ...mined, blockNumber: String(mined.blockNumber) })],
      );
    },
    async remove(nonce) {
      await query("DELETE FROM app_registry_issuer.sent_transactions WHERE scope = $1 AND nonce = $2", [
        nonce,
      ]);
    },
    async prune(before) {
      await query(
        `DELETE FROM app_registry_issuer.sent_transactions
         WHERE scope = $1 AND mined IS NOT NULL AND signed_at < $2`,
        [before],
      );
      await query("DELETE FROM app_registry_issuer.spending WHERE scope = $1 AND minute < $2", [
        Math.floor((Date.now() - SPENDING_WINDOW) / MINUTE),
      ]);
    },
  };
}

const divideUp = (value: bigint, parts: number): bigint => (value + BigInt(parts) - 1n) / BigInt(parts);

type AttemptJson = Omit<SignedAttempt, "maxFeePerGas" | "maxPriorityFeePerGas"> & {
  maxFeePerGas: string;
  maxPriorityFeePerGas: string;
};

type TransactionRow = Pick<IssuerTransaction, "data"> & {
  nonce: string;
  statements: { key: string; client: string | null }[];
  recipient: IssuerTransaction["to"];
  gas: string;
  attempts: AttemptJson[];
  mined: (Omit<MinedTransaction, "blockNumber"> & { blockNumber: string }) | null;
};

const attemptToJson = (attempt: SignedAttempt): AttemptJson => ({
  ...attempt,
  maxFeePerGas: String(attempt.maxFeePerGas),
  maxPriorityFeePerGas: String(attempt.maxPriorityFeePerGas),
});

function fromRow({
  nonce,
  statements,
  recipient: to,
  data,
  gas,
  attempts,
  mined,
}: TransactionRow): IssuerTransaction {
  return {
    nonce: Number(nonce),
    statements: statements.map(({ key, client }) => (client === null ? { key } : { key, client })),
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
