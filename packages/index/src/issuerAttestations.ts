import { sql } from "drizzle-orm";
import { checksumAddress, type Hex, isAddress, isHash } from "viem";
import { z } from "zod";
import type { Session } from "./session.ts";
import {
  app,
  dataHashAttestation,
  didAttestation,
  liveDataHashAttestation,
  liveDidAttestation,
} from "./tables.ts";

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
