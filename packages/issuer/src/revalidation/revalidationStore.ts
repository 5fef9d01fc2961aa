import {
  createJobQueueTablesSql,
  createSqlJobQueue,
  type JobKey,
  type JobQueue,
  type NewJob,
} from "@app-registry/outbound/internal";
import type { CanonicalDid } from "@app-registry/sdk";
import { hashCanonicalDid } from "@app-registry/sdk/internal";
import type { Hash, Hex } from "viem";
import type { AttestationSchema } from "../attest/verifyAndAttestSchema.ts";
import {
  migrate,
  type Query,
  queryStore,
  type SqlPool,
  tryWithAdvisoryLock,
} from "../sending/transactionStore.ts";

type EventSubject = { schema: AttestationSchema; did: CanonicalDid; subject: Hex };

/** Events of a revalidation for the operator's structured log. Times are ISO 8601. */
export type RevalidationEvent =
  | (EventSubject & {
      event: "attestation checked";
      outcome: "holds" | "fails" | "no-answer" | "lapses";
      /** Stable code of the reason, and below the reason in one or two sentences. Absent for the outcome `holds`. */
      code?: string;
      reason?: string;
      nextCheckAt: string;
    })
  | (EventSubject & { event: "attestation renewed"; hash: Hash; expiresAt: string })
  | (EventSubject & { event: "attestation revoked"; hash: Hash; code: string; reason: string })
  /** Renewal or revocation that could not be sent and will be retried. Reported once per attestation. */
  | (EventSubject & { event: "attestation not renewed" | "attestation not revoked"; reason: string })
  /** The issuer was retired: it no longer renews, but still revokes. Reported once. */
  | { event: "issuer retired"; reason: string }
  /** The chain or the database does not respond, or the issuer is distrusted. Reported once until a pass succeeds. */
  | { event: "revalidation interrupted"; reason: string };

/** Identifier of an attestation of the issuer. `subject` is the checksummed wallet, or the dataHash. */
export type AttestationKey = { schema: AttestationSchema; didHash: Hex; subject: Hex };

/** Attestation of the issuer with the results of its checks. Times are Unix milliseconds. */
export type TrackedAttestation = AttestationKey & {
  /** Block of the latest attestation or renewal. */
  block: bigint;
  /** Time of the latest successful check, initially that of the attestation. */
  heldAt: number;
  /** Time of the first failed check since then. */
  failedAt: number | undefined;
};

/** Attestation whose DID is known, so that it can be checked. The chain has only the hash of the DID. */
export type CheckableAttestation = TrackedAttestation & { did: CanonicalDid };

export const toJobKey = ({ schema, didHash, subject }: AttestationKey): JobKey => ({
  kind: schema,
  key: `${didHash} ${subject}`,
});

export function parseJobKey({ kind, key }: JobKey): AttestationKey {
  const [didHash, subject] = key.split(" ") as [Hex, Hex];
  return { schema: kind as AttestationSchema, didHash, subject };
}

/**
 * Creates the job of a check. Its host is initially the hash of the DID, because only the check itself determines which
 * host it requests. It is moved to that host when it finds the host busy.
 */
export const createCheckJob = (key: AttestationKey, dueAt: number): NewJob => ({
  ...toJobKey(key),
  host: key.didHash,
  priority: 0,
  dueAt,
});

/** Numbers of attestations in a revalidation, by the state of their checks. Each is at most 10,000. */
export type RevalidationCounts = {
  attestations: number;
  due: number;
  /** Due for more than a day. */
  overdue: number;
  /** Failed their latest complete check, and will be checked again. */
  failing: number;
  /** Could not be checked the last time. */
  unanswered: number;
  /** Can't be checked, because this issuer does not know the DID of the hash. They will expire. */
  unknownDids: number;
};

/**
 * Store of one issuer's attestations on one resolver. Everything except the times of checks and the DIDs of
 * unregistered services can be read from the chain again. Times are Unix milliseconds.
 */
export type RevalidationStore = {
  /** Queue with one job per attestation, and the leases of the hosts. */
  queue: JobQueue;
  /** Runs a task unless any process that shares the store is already running one. Then returns `undefined`. */
  unlessTaken<T>(task: () => Promise<T>): Promise<T | undefined>;
  /** Reads the block up to which events have been stored. */
  readCursor(): Promise<bigint | undefined>;
  /** Sets the block up to which events have been stored. */
  writeCursor(block: bigint): Promise<void>;
  /** Saves a DID, so that attestations of its hash can be checked. */
  saveDid(did: CanonicalDid): Promise<void>;
  /** Adds or replaces an attestation. */
  add(attestation: TrackedAttestation): Promise<void>;
  /** Reads an attestation, with its DID if known. */
  find(key: AttestationKey): Promise<(TrackedAttestation & { did: CanonicalDid | undefined }) | undefined>;
  /** Removes an attestation that was written up to a block. Returns false if it was written later. */
  remove(key: AttestationKey, upTo: bigint): Promise<boolean>;
  /** Saves the result of a check. Does nothing if the attestation was removed. */
  save(attestation: TrackedAttestation): Promise<void>;
  /** Lists the other controllers of a DID whose latest successful check was before a time. */
  listOthers(parameters: { didHash: Hex; except: Hex; heldBefore: number }): Promise<AttestationKey[]>;
  count(): Promise<Pick<RevalidationCounts, "attestations" | "failing" | "unknownDids">>;
};

/** Most rows that a count reads. */
const MAX_COUNTED = 10_000;

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
    PRIMARY KEY (scope, did_hash, schema, subject)
  );
  ALTER TABLE app_registry_issuer.attestations ADD COLUMN IF NOT EXISTS has_did boolean NOT NULL DEFAULT false;
  CREATE INDEX IF NOT EXISTS attestations_failing ON app_registry_issuer.attestations (scope) WHERE failed_at IS NOT NULL;
  CREATE INDEX IF NOT EXISTS attestations_unknown ON app_registry_issuer.attestations (scope) WHERE NOT has_did;
  CREATE TABLE IF NOT EXISTS app_registry_issuer.event_cursors (
    scope text PRIMARY KEY,
    block bigint NOT NULL
  );
  ${createJobQueueTablesSql("app_registry_issuer")}`;

/**
 * Opens the store of one issuer's attestations on one resolver, which `scope` identifies. Any number of processes
 * can share it. One process works at a time, by an advisory lock that ends with its connection, so that another one can
 * take over.
 * @throws {IssuerStoreError} if the database does not respond.
 */
export async function openRevalidationStore(pool: SqlPool, scope: string): Promise<RevalidationStore> {
  await migrate(pool, migration);
  const query: Query = (text, values = []) => queryStore(pool.query.bind(pool), text, [scope, ...values]);
  const readRows = async (text: string, values: unknown[]) =>
    (await queryStore(pool.query.bind(pool), text, values)).rows;
  return {
    queue: createSqlJobQueue(readRows, "app_registry_issuer", scope),
    unlessTaken: (task) => tryWithAdvisoryLock(pool, `revalidation ${scope}`, task),
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
    async saveDid(did) {
      await query(
        `WITH saved AS (
           INSERT INTO app_registry_issuer.dids (scope, did_hash, did) VALUES ($1, $2, $3)
           ON CONFLICT (scope, did_hash) DO NOTHING
         )
         UPDATE app_registry_issuer.attestations SET has_did = true
         WHERE scope = $1 AND did_hash = $2 AND NOT has_did`,
        [hashCanonicalDid(did), did],
      );
    },
    async add(attestation) {
      await query(
        `INSERT INTO app_registry_issuer.attestations
           (scope, schema, did_hash, subject, block, held_at, failed_at, has_did)
         VALUES ($1, $2, $3, $4, $5, $6, $7,
           EXISTS (SELECT FROM app_registry_issuer.dids WHERE scope = $1 AND did_hash = $3))
         ON CONFLICT (scope, did_hash, schema, subject) DO UPDATE SET block = excluded.block,
           held_at = excluded.held_at, failed_at = excluded.failed_at, has_did = excluded.has_did`,
        toValues(attestation),
      );
    },
    async find({ schema, didHash: hash, subject }) {
      const { rows } = await query(
        `SELECT * FROM app_registry_issuer.attestations NATURAL LEFT JOIN app_registry_issuer.dids
         WHERE scope = $1 AND schema = $2 AND did_hash = $3 AND subject = $4`,
        [schema, hash, subject],
      );
      const row = (rows as AttestationRow[])[0];
      return row && fromRow(row);
    },
    async remove({ schema, didHash: hash, subject }, upTo) {
      const { rows } = await query(
        `WITH removed AS (
           DELETE FROM app_registry_issuer.attestations
           WHERE scope = $1 AND schema = $2 AND did_hash = $3 AND subject = $4 AND block <= $5::bigint
         )
         SELECT FROM app_registry_issuer.attestations
         WHERE scope = $1 AND schema = $2 AND did_hash = $3 AND subject = $4 AND block > $5::bigint`,
        [schema, hash, subject, String(upTo)],
      );
      return rows.length === 0;
    },
    async save(attestation) {
      await query(
        `UPDATE app_registry_issuer.attestations SET block = $5, held_at = $6, failed_at = $7
         WHERE scope = $1 AND schema = $2 AND did_hash = $3 AND subject = $4`,
        toValues(attestation),
      );
    },
    async listOthers({ didHash: hash, except, heldBefore }) {
      const { rows } = await query(
        `SELECT schema, did_hash AS "didHash", subject FROM app_registry_issuer.attestations
         WHERE scope = $1 AND schema = 'did-ownership' AND did_hash = $2 AND subject <> $3 AND held_at < $4`,
        [hash, except, heldBefore],
      );
      return rows as AttestationKey[];
    },
    async count() {
      const countWhere = (condition: string) => `(SELECT count(*)::int FROM (
        SELECT FROM app_registry_issuer.attestations WHERE scope = $1 AND ${condition} LIMIT ${MAX_COUNTED}) AS counted)`;
      const { rows } = await query(
        `SELECT ${countWhere("true")} AS attestations, ${countWhere("failed_at IS NOT NULL")} AS failing,
           ${countWhere("NOT has_did")} AS "unknownDids"`,
      );
      return rows[0] as Awaited<ReturnType<RevalidationStore["count"]>>;
    },
  };
}

function toValues({ schema, didHash: hash, subject, ...attestation }: TrackedAttestation): unknown[] {
  const { block, heldAt, failedAt } = attestation;
  return [schema, hash, subject, String(block), heldAt, failedAt ?? null];
}

type AttestationRow = Pick<TrackedAttestation, "schema" | "subject"> & {
  did_hash: TrackedAttestation["didHash"];
  did: CanonicalDid | null;
  block: string;
  held_at: string;
  failed_at: string | null;
};

function fromRow({ schema, did_hash, subject, did, block, held_at, failed_at }: AttestationRow) {
  return {
    ...{ schema, didHash: did_hash, subject, did: did ?? undefined, block: BigInt(block) },
    heldAt: Number(held_at),
    failedAt: failed_at === null ? undefined : Number(failed_at),
  };
}
