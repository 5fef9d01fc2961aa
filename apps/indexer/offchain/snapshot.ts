import { createHash, randomUUID } from "node:crypto";
import {
  type SnapshotManifest,
  type SnapshotRecord,
  signSnapshot,
  snapshotLine,
  type UnsignedSnapshot,
} from "@app-registry/sdk";
import { utcDay } from "@app-registry/sdk/internal";
import type { HiddenServices } from "@app-registry/server/hiddenServices";
import type { Address, Hex, LocalAccount } from "viem";
import type { Database, Row } from "./database.ts";
import { isProbeOf, type Schemas } from "./tables.ts";

const DAY = 86_400;

/** Seconds between a failure and the next try. */
const RETRY = 600;

/** Days for which files are kept; manifests are kept for ever. */
const KEPT_DAYS = 30;

/** Records of a part, of about 350 bytes each. */
const PART = 5_000;

export type SnapshotsParameters = {
  database: Database;
  schemas: Schemas;
  chainId: number;
  registry: Address;
  openAccount: () => Promise<Pick<LocalAccount, "address" | "signTypedData">>;
  /** Services that the file leaves out. */
  hidden: HiddenServices;
  /** Seconds of a day before its snapshot is taken. */
  from: number;
  /** Unix seconds. */
  now: () => number;
  onTaken: (manifest: SnapshotManifest) => void;
  onError: (error: unknown) => void;
};

/**
 * Takes the snapshot of each UTC day, once. Its rows are read page by page, so that a
 * million of them need no memory, and the manifest that makes them visible is written last. Each try has its own parts:
 * one that is killed, or another process's that lost the lock, leaves nothing that anybody is shown.
 *
 * @returns what takes it when it is due. It never throws: a failure is told, and tried again ten minutes later.
 */
export function createSnapshots(parameters: SnapshotsParameters): () => Promise<void> {
  const { database, schemas, from, now, onTaken, onError } = parameters;
  const { offchain } = schemas;
  let doneDay: string | undefined;
  let nextTry = 0;

  return async () => {
    const time = now();
    const day = utcDay(time);
    if (day === doneDay || time < nextTry || time % DAY < from) return;
    nextTry = time + RETRY;
    const attempt = randomUUID();
    try {
      const [known] = await database.query(`select from ${offchain}.snapshot where day = $1`, [day]);
      if (!known) onTaken(await take(parameters, Math.floor(time), attempt));
      await prune(time);
      doneDay = day;
    } catch (error) {
      onError(error);
      const parts = `delete from ${offchain}.snapshot_part where day = $1 and attempt = $2`;
      await database.query(parts, [day, attempt]).catch(onError);
    }
  };

  /** Deletes old files, and what tries that came to nothing left behind. */
  async function prune(time: number): Promise<void> {
    await database.query(
      `delete from ${offchain}.snapshot_part part where part.day <= $1 or not exists (
        select from ${offchain}.snapshot taken where taken.day = part.day and taken.attempt = part.attempt)`,
      [utcDay(time - KEPT_DAYS * DAY)],
    );
  }
}

/** @throws when the account is an issuer's, can't be opened or doesn't sign, or the database doesn't answer. */
async function take(
  parameters: SnapshotsParameters,
  takenAt: number,
  attempt: string,
): Promise<SnapshotManifest> {
  const { database, schemas, chainId, registry, openAccount } = parameters;
  const account = await openAccount();
  await refuseIssuer(database, schemas, account.address);
  const day = utcDay(takenAt);
  const [head] = await database.query(`select number::float8 as block from ${schemas.index}.head`);
  const place = { chainId, registry, day, takenAt, block: Number(head?.block ?? 0) };
  const manifest = await signSnapshot({ ...place, ...(await writeParts(parameters, day, attempt)) }, account);
  await database.query(`insert into ${schemas.offchain}.snapshot values ($1, $2, $3)`, [
    ...[day, attempt, JSON.stringify(manifest)],
  ]);
  return manifest;
}

/** Whoever has the key of snapshots must not attest, so that the key may be where many processes are. */
async function refuseIssuer(database: Database, { index }: Schemas, signer: Address): Promise<void> {
  const [issuer] = await database.query(`select from ${index}.issuer where address = $1`, [
    signer.toLowerCase(),
  ]);
  if (issuer) throw new Error(`The snapshots' key is that of the issuer ${signer}: set another one.`);
}

async function writeParts(
  { database, schemas, hidden }: SnapshotsParameters,
  day: string,
  attempt: string,
): Promise<Pick<UnsignedSnapshot, "services" | "bytes" | "sha256">> {
  const hash = createHash("sha256");
  let services = 0;
  let bytes = 0;
  let after = "0";
  for (let place = 0; ; ) {
    const records = (await readPage(database, schemas, after)).map(recordOf);
    const last = records.at(-1);
    if (!last) break;
    after = last.tokenId;
    const shown = records.filter(({ did }) => hidden.reasonOf(did) === undefined);
    if (shown.length === 0) continue;
    const ndjson = shown.map((record) => `${snapshotLine(record)}\n`).join("");
    hash.update(ndjson);
    services += shown.length;
    bytes += Buffer.byteLength(ndjson);
    const row = [day, attempt, place++, ndjson];
    await database.query(`insert into ${schemas.offchain}.snapshot_part values ($1, $2, $3, $4)`, row);
  }
  return { services, bytes, sha256: `0x${hash.digest("hex")}` };
}

const readPage = (database: Database, { index, offchain }: Schemas, after: string): Promise<Row[]> =>
  database.query(
    `select probe.token_id::text as token_id, app.did, app.major, app.minor, app.patch, app.data_hash, probe.outcome,
      probe.drift, floor(probe.probed_at) as probed_at, floor(probe.answered_at) as answered_at
    from ${offchain}.probe probe join ${index}.app app on ${isProbeOf("probe", "app")}
    where probe.token_id > $1::numeric and app.status = 0 and probe.outcome is not null
    order by probe.token_id limit ${PART}`,
    [after],
  );

const recordOf = (row: Row): SnapshotRecord => ({
  tokenId: String(row.token_id),
  did: String(row.did),
  version: `${row.major}.${row.minor}.${row.patch}`,
  dataHash: row.data_hash as Hex,
  outcome: row.outcome as SnapshotRecord["outcome"],
  drift: row.drift as SnapshotRecord["drift"],
  probedAt: Number(row.probed_at),
  answeredAt: row.answered_at === null ? null : Number(row.answered_at),
});
