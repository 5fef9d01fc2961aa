import { RENEWAL_GRACE_SECONDS } from "@app-registry/sdk";
import { and, desc, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import { type Address, checksumAddress, type Hex, isAddress, isHash } from "viem";
import { z } from "zod";
import type { Session } from "./session.ts";
import {
  app,
  block,
  challenge,
  dataHashAttestation,
  didAttestation,
  liveDataHashAttestation,
  liveDidAttestation,
  reclaim,
} from "./tables.ts";

/** Most accounts of DIDs in one answer. */
const MAX_ACCOUNTS = 1_000;

/** Account that controls a DID or seeks control of it. */
export type DidAccount = { didHash: Hex; account: Address };

/** Writes the given addresses of a row with their checksums. */
function withChecksums<Row extends object, Name extends keyof Row>(row: Row, ...names: Name[]): Row {
  return {
    ...row,
    ...Object.fromEntries(names.map((name) => [name, checksumAddress(row[name] as Address)])),
  };
}

/** Lists the accounts with a live attestation for some DIDs, or only those that wait for control, the earliest first. */
async function listAttested(
  { db }: Session,
  didHashes: readonly Hex[],
  { isWaiting }: { isWaiting: boolean },
): Promise<DidAccount[]> {
  const { rows } = await db.execute<{ did_hash: Hex; controller: Address }>(sql`
    select did_hash, controller from ${liveDidAttestation}
    where ${inArray(sql`did_hash`, [...didHashes])} ${isWaiting ? sql`and not matured` : sql``}
    order by matures_at limit ${MAX_ACCOUNTS}::int`);
  return rows.map((row) => ({ didHash: row.did_hash, account: checksumAddress(row.controller) }));
}

/**
 * Lists the accounts that wait for control of some DIDs, and the blocks that have not ended at `now` (Unix seconds),
 * each ordered by its end.
 */
export async function listWaiting(session: Session, didHashes: readonly Hex[], now: number) {
  const { didHash, account, author, blockedAt, blockedUntil, weight } = block;
  const blocks = await session.db
    .select({ didHash, account, author, blockedAt, blockedUntil, weight })
    .from(block)
    .where(and(inArray(didHash, [...didHashes]), isNull(block.unblockedAt), gt(blockedUntil, now)))
    .orderBy(blockedUntil)
    .limit(MAX_ACCOUNTS);
  return {
    waiting: await listAttested(session, didHashes, { isWaiting: true }),
    blocks: blocks.map((row) => withChecksums(row, "account", "author")),
  };
}

/** Lists the challenges of some DIDs that are not won, newest first. They may have expired. */
async function listChallenges({ db }: Session, didHashes: readonly Hex[], limit: number) {
  const { didHash, incumbent, challenger, openedAt, resolvableFrom, expiresAt } = challenge;
  const rows = await db
    .select({ didHash, incumbent, challenger, openedAt, resolvableFrom, expiresAt })
    .from(challenge)
    .where(and(inArray(didHash, [...didHashes]), isNull(challenge.wonAt)))
    .orderBy(desc(openedAt))
    .limit(limit);
  return rows.map((row) => withChecksums(row, "incumbent", "challenger"));
}

/** Lists the reclaims of some records that have not ended, newest first. They may have expired. */
async function listReclaims({ db }: Session, tokenIds: readonly bigint[], limit: number) {
  const { tokenId, claimant, openedAt, finishableFrom, expiresAt } = reclaim;
  const rows = await db
    .select({ tokenId, claimant, openedAt, finishableFrom, expiresAt })
    .from(reclaim)
    .where(and(inArray(tokenId, [...tokenIds]), isNull(reclaim.endedAt)))
    .orderBy(desc(openedAt))
    .limit(limit);
  return rows.map((row) => ({ ...withChecksums(row, "claimant"), tokenId: String(row.tokenId) }));
}

/** Most rows of each kind about one DID. */
const MAX_PARTIES = 20;

/**
 * Lists the accounts that issuers made statements about for a DID, newest first, the challenges of the DID that are not
 * won, and the reclaims of the records that have not ended. Both may have expired.
 */
export async function readDidParties(
  session: Session,
  { didHash, tokenIds }: { didHash: Hex; tokenIds: readonly bigint[] },
) {
  const stated = await session.db
    .select({ controller: didAttestation.controller })
    .from(didAttestation)
    .where(eq(didAttestation.didHash, didHash))
    .orderBy(desc(didAttestation.statedAt))
    .limit(MAX_PARTIES);
  return {
    attested: stated.map(({ controller }) => checksumAddress(controller)),
    challenges: await listChallenges(session, [didHash], MAX_PARTIES),
    reclaims: await listReclaims(session, tokenIds, MAX_PARTIES),
  };
}

/** Most records and DIDs of an account. */
const MAX_RECORDS = 200;

/**
 * Reads the records of an account and of the DIDs for which it has an attestation that is live or can be renewed, with
 * the other accounts, and the challenges and reclaims that have not ended, which may have expired. `now` is in Unix
 * seconds.
 */
export async function readAccountRows(session: Session, account: Address, now: number) {
  const { db } = session;
  const address = account.toLowerCase() as Address;
  const attested = await db
    .select({ didHash: didAttestation.didHash })
    .from(didAttestation)
    .where(
      and(
        eq(didAttestation.controller, address),
        gt(didAttestation.expiresAt, now - RENEWAL_GRACE_SECONDS),
        isNull(didAttestation.endedAt),
      ),
    )
    .orderBy(desc(didAttestation.statedAt))
    .limit(MAX_RECORDS);
  const listRecords = (condition: ReturnType<typeof eq>) =>
    db
      .select({ didHash: app.didHash })
      .from(app)
      .where(condition)
      .orderBy(desc(app.tokenId))
      .limit(MAX_RECORDS);
  const own = [
    ...(await listRecords(eq(app.owner, address))),
    ...(await listRecords(eq(app.minter, address))),
  ];
  const attestedHashes = new Set(attested.map(({ didHash }) => didHash));
  const didHashes = [...new Set([...own.map(({ didHash }) => didHash), ...attestedHashes])];
  const { didHash, did, major, minor, patch, tokenId, status, owner, minter, name } = app;
  const records = await db
    .select({ didHash, did, major, minor, patch, tokenId, status, owner, minter, name })
    .from(app)
    .where(inArray(didHash, didHashes))
    .orderBy(desc(tokenId))
    .limit(MAX_RECORDS);
  const names = new Map(records.map((record) => [record.didHash, record.did]));
  const shown = records
    .filter(
      (record) => attestedHashes.has(record.didHash) || record.owner === address || record.minter === address,
    )
    .map((record) => ({
      ...withChecksums(record, "owner", "minter"),
      status: record.status as 0 | 1 | 2,
    }));
  const tokenIds = shown.map((record) => record.tokenId);
  return {
    records: shown,
    /** DIDs with a record, by hash. */
    names,
    /** Number of DIDs without a record for which issuers attest the account. */
    unregistered: [...attestedHashes].filter((hash) => !names.has(hash)).length,
    attested: await listAttested(session, didHashes, { isWaiting: false }),
    challenges: await listChallenges(session, didHashes, MAX_RECORDS),
    reclaims: await listReclaims(session, tokenIds, MAX_RECORDS),
  };
}

/** Cursor of the next page: `<statedAt>.<didHash>.<controller or dataHash>`. */
const attestationCursorSchema = z
  .string()
  .regex(/^\d{1,15}\.0x[0-9a-f]{64}\.0x(?:[0-9a-f]{40}|[0-9a-f]{64})$/, "is not a cursor of this list")
  .transform((text) => text.split(".") as [string, Hex, Hex]);

/** Query of an issuer's attestations, newest statement first. */
export const issuerAttestationsQuerySchema = z.strictObject({
  address: z.string().refine((text) => isAddress(text, { strict: false }), "must be 20 bytes in hex"),
  of: z.enum(["controllers", "hashes"]).default("controllers"),
  cursor: attestationCursorSchema.optional(),
  limit: z.string().regex(/^\d+$/).transform(Number).pipe(z.int().min(1).max(100)).default(50),
});

const kinds = {
  controllers: { table: didAttestation, live: liveDidAttestation, about: "controller" },
  hashes: { table: dataHashAttestation, live: liveDataHashAttestation, about: "data_hash" },
} as const;

type Row = {
  did_hash: Hex;
  did: string | null;
  about: Hex;
  started_at: string | null;
  stated_at: string;
  expires_at: string | null;
  ended_at: string | null;
  revoked_at: string | null;
  live: boolean;
};

const seconds = (value: string | null): number | null => (value === null ? null : Number(value));

/** Lists an issuer's newest statement about each controller or hash of a DID, with a flag for live ones. */
export async function issuerAttestations(
  session: Session,
  { address, of, cursor, limit }: z.output<typeof issuerAttestationsQuerySchema>,
) {
  const { table, live, about } = kinds[of];
  const column = sql.raw(about);
  const isLive = sql`exists (
    select from ${live} live
    where live.did_hash = stated.did_hash and live.${column} = stated.${column} and live.issuer = stated.issuer)`;
  const after =
    cursor &&
    sql`and (stated.stated_at, stated.did_hash, stated.${column}) < (${cursor[0]}::int8, ${cursor[1]}, ${cursor[2]})`;
  const { rows } = await session.db.execute<Row>(sql`
    select stated.did_hash, stated.${column} as about, stated.started_at, stated.stated_at, stated.expires_at,
      stated.ended_at, stated.revoked_at, ${isLive} as live,
      (select did from ${app} where app.did_hash = stated.did_hash order by major desc limit 1) as did
    from ${table} stated
    where stated.issuer = ${address.toLowerCase()} ${after}
    order by stated.stated_at desc, stated.did_hash desc, stated.${column} desc limit ${limit + 1}::int`);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    attestations: page.map((row) => ({
      didHash: row.did_hash,
      did: row.did,
      ...(isHash(row.about) ? { dataHash: row.about } : { controller: checksumAddress(row.about) }),
      startedAt: seconds(row.started_at),
      statedAt: Number(row.stated_at),
      expiresAt: seconds(row.expires_at),
      endedAt: seconds(row.ended_at),
      revokedAt: seconds(row.revoked_at),
      live: row.live,
    })),
    nextCursor: last && rows.length > limit ? [last.stated_at, last.did_hash, last.about].join(".") : null,
  };
}
