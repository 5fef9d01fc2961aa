import type { AppRegistryClient, CanonicalDid } from "@app-registry/sdk";
import { hashOfDid, resolverContract } from "@app-registry/sdk/internal";
import { Client } from "pg";
import { type Address, type Hex, isAddressEqual, type PublicClient } from "viem";
import { readContract } from "viem/actions";
import {
  type AttestationEvent,
  type AttestationEvents,
  readAttestationEvents,
} from "../../packages/issuer/src/revalidation/readAttestationEvents.ts";
import type { AttestationKey } from "../../packages/issuer/src/revalidation/rememberedAttestation.ts";

/** What an issuer said last of each wallet and document, before a time and since; and every DID that is known. */
export interface IssuerStatements {
  before: AttestationEvents;
  since: AttestationEvents;
  didOf(didHash: Hex): CanonicalDid | undefined;
}

/** One thing that an issuer stated since a time, and what the chain makes of it now. */
export interface AffectedStatement extends AttestationKey {
  /** Null when neither the registry nor the issuer's database names it. */
  did: CanonicalDid | null;
  /** `renewed`: attested before, too. */
  stated: "attested" | "renewed" | "revoked";
  /** When the block was made. */
  at: string;
  /** Whether the issuer's own attestation is live. */
  live: boolean;
  /** When that expires; null when it is not live. */
  expiresAt: string | null;
  /** Whether the wallet counts as a controller, or the document as attested, by any issuer's word. */
  counts: boolean;
}

/** What statements are read with. */
export interface StatementSource {
  client: AppRegistryClient;
  publicClient: PublicClient;
  /** The issuer. */
  issuer: Address;
  /** The issuer's PostgreSQL, which knows the DIDs of services that are not registered yet. */
  databaseUrl?: string | undefined;
}

const isoTime = (seconds: bigint | number): string => new Date(Number(seconds) * 1_000).toISOString();

/** Reads what an issuer stated before a time and since, Unix seconds, from the chain's events. */
export async function readStatements(
  { client, publicClient, issuer, databaseUrl }: StatementSource,
  since: bigint,
): Promise<IssuerStatements> {
  const first = BigInt(client.deployment.deployBlock);
  const last = await publicClient.getBlockNumber({ cacheTime: 0 });
  const from = await firstBlockSince(publicClient, { first, last, since });
  const context = { client, issuer };
  const [before, after, stored] = await Promise.all([
    readAttestationEvents(context, { fromBlock: first, toBlock: from - 1n }),
    readAttestationEvents(context, { fromBlock: from, toBlock: last }),
    databaseUrl ? storedDids(databaseUrl) : [],
  ]);
  const dids = [...before.registeredDids, ...after.registeredDids, ...stored];
  const names = new Map(dids.map((did) => [hashOfDid(did), did]));
  return { before, since: after, didOf: (didHash) => names.get(didHash) };
}

/** The first block at a time or later, Unix seconds; the one behind the last block when there is none. */
async function firstBlockSince(
  publicClient: PublicClient,
  { first, last, since }: { first: bigint; last: bigint; since: bigint },
): Promise<bigint> {
  let [low, high] = [first, last + 1n];
  while (low < high) {
    const middle = (low + high) / 2n;
    const { timestamp } = await publicClient.getBlock({ blockNumber: middle });
    if (timestamp < since) low = middle + 1n;
    else high = middle;
  }
  return low;
}

async function storedDids(connectionString: string): Promise<CanonicalDid[]> {
  const database = new Client({ connectionString });
  await database.connect();
  try {
    const { rows } = await database.query("SELECT DISTINCT did FROM app_registry_issuer.dids");
    return rows.map(({ did }) => did);
  } finally {
    await database.end();
  }
}

/** Lists what an issuer stated since a time, oldest first. */
export async function readAffected(source: StatementSource, since: bigint): Promise<AffectedStatement[]> {
  const statements = await readStatements(source, since);
  const attestedBefore = new Set(statements.before.attestations.filter(isAttested).map(nameOf));
  const oldestFirst = statements.since.attestations.sort((a, b) => Number(a.block - b.block));
  const affected: AffectedStatement[] = [];
  for (const event of oldestFirst) {
    const { schema, didHash, subject, block } = event;
    const again = attestedBefore.has(nameOf(event)) ? "renewed" : "attested";
    const stated = isAttested(event) ? again : "revoked";
    const [{ timestamp }, now] = await Promise.all([
      source.publicClient.getBlock({ blockNumber: block }),
      readNow(source, { schema, didHash, subject }),
    ]);
    const did = statements.didOf(didHash) ?? null;
    affected.push({ schema, did, didHash, subject, stated, at: isoTime(timestamp), ...now });
  }
  return affected;
}

/** Whether an attestation was attested last, and not revoked. */
export const isAttested = ({ expiresAt }: AttestationEvent) => expiresAt !== undefined;

const nameOf = ({ schema, didHash, subject }: AttestationKey) => `${schema} ${didHash} ${subject}`;

async function readNow(
  { client, publicClient, issuer }: StatementSource,
  { schema, didHash, subject }: AttestationKey,
): Promise<Pick<AffectedStatement, "live" | "expiresAt" | "counts">> {
  const contract = { ...resolverContract(client), args: [didHash, subject] as const };
  const [views, counts] = await (schema === "did-ownership"
    ? Promise.all([
        readContract(publicClient, { ...contract, functionName: "getDIDAttestations" }),
        readContract(publicClient, { ...contract, functionName: "checkDID" }),
      ])
    : Promise.all([
        readContract(publicClient, { ...contract, functionName: "getDataHashAttestations" }),
        readContract(publicClient, { ...contract, functionName: "checkDataHashAttestation" }),
      ]));
  const own = views.find((view) => isAddressEqual(view.issuer, issuer));
  const live = own?.live ?? false;
  return { live, expiresAt: live && own ? isoTime(own.expiresAt) : null, counts };
}

/** A line for a person. */
export function affectedLine({
  at,
  stated,
  schema,
  did,
  didHash,
  subject,
  ...now
}: AffectedStatement): string {
  const attestation = now.live ? `live until ${now.expiresAt}` : "void";
  const what = schema === "did-ownership" ? "wallet" : "document";
  const counts = now.counts ? "counts" : "does not count";
  return `${at}  ${stated.padEnd(8)}  ${did ?? didHash}  ${what} ${subject}  ${attestation}; ${counts} now`;
}
