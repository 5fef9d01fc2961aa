import type { AppRegistryClient, CanonicalDid } from "@app-registry/sdk";
import { hashOfDid, resolverContract } from "@app-registry/sdk/internal";
import { Client } from "pg";
import { type Address, type Hex, isAddressEqual } from "viem";
import { getBlock, getBlockNumber, readContract } from "viem/actions";
import {
  type AttestationEvent,
  readAttestationEvents,
} from "../../packages/issuer/src/revalidation/readAttestationEvents.ts";
import type { AttestationKey } from "../../packages/issuer/src/revalidation/rememberedAttestation.ts";
import { findBlock } from "./findBlock.ts";
import { isoTime } from "./resolverCall.ts";

/** One statement of an issuer since a time, and its effect on the chain now. */
export interface AffectedStatement extends AttestationKey {
  /** Null if neither the registry nor the issuer's database names it. */
  did: CanonicalDid | null;
  /** `renewed`: attested before, too. */
  stated: "attested" | "renewed" | "revoked";
  /** Time of the block. */
  at: string;
  /** True if the issuer's own attestation is live. */
  live: boolean;
  /** Null if it is not live. */
  expiresAt: string | null;
  /** True if the wallet controls the DID, or the document is attested, by any issuer's word. */
  counts: boolean;
}

/** Source of an issuer's statements. */
export interface StatementSource {
  client: AppRegistryClient;
  issuer: Address;
  /** The issuer's PostgreSQL, which has the DIDs of services that are not registered yet. */
  databaseUrl: string | undefined;
}

/** Reads an issuer's last statements of each wallet and document, before a time and since (Unix seconds), and all known DIDs. */
export async function readStatements(context: StatementSource, since: bigint) {
  const { publicClient, deployment } = context.client;
  const latest = Number(await getBlockNumber(publicClient, { cacheTime: 0 }));
  const from = await findBlock(deployment.deployBlock - 1, latest + 1, async (block) => {
    const { timestamp } = await getBlock(publicClient, { blockNumber: BigInt(block) });
    return timestamp >= since;
  });
  const [before, after, stored] = await Promise.all([
    readAttestationEvents(context, { fromBlock: BigInt(deployment.deployBlock), toBlock: BigInt(from - 1) }),
    readAttestationEvents(context, { fromBlock: BigInt(from), toBlock: BigInt(latest) }),
    context.databaseUrl ? storedDids(context.databaseUrl) : [],
  ]);
  const dids = [...before.registeredDids, ...after.registeredDids, ...stored];
  const names = new Map(dids.map((did) => [hashOfDid(did), did]));
  return {
    before: before.attestations,
    since: after.attestations,
    didOf: (didHash: Hex): CanonicalDid | undefined => names.get(didHash),
  };
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

/** Lists the statements of an issuer since a time, oldest first. */
export async function readAffected(source: StatementSource, time: bigint): Promise<AffectedStatement[]> {
  const { before, since, didOf } = await readStatements(source, time);
  const attestedBefore = new Set(before.filter(isAttested).map(nameOf));
  const affected: AffectedStatement[] = [];
  for (const event of since.sort((a, b) => Number(a.block - b.block))) {
    const { schema, didHash, subject, block } = event;
    const again = attestedBefore.has(nameOf(event)) ? "renewed" : "attested";
    const { timestamp } = await getBlock(source.client.publicClient, { blockNumber: block });
    affected.push({
      ...{ schema, did: didOf(didHash) ?? null, didHash, subject },
      ...{ stated: isAttested(event) ? again : "revoked", at: isoTime(timestamp) },
      ...(await readNow(source, event)),
    });
  }
  return affected;
}

/** Returns true if the last statement is not a revocation. */
export const isAttested = ({ expiresAt }: AttestationEvent) => expiresAt !== undefined;

const nameOf = ({ schema, didHash, subject }: AttestationKey) => `${schema} ${didHash} ${subject}`;

async function readNow({ client, issuer }: StatementSource, { schema, didHash, subject }: AttestationKey) {
  const contract = { ...resolverContract(client), args: [didHash, subject] as const };
  const isDid = schema === "did-ownership";
  const views = await readContract(client.publicClient, {
    ...contract,
    functionName: isDid ? "getDIDAttestations" : "getDataHashAttestations",
  });
  const counts = await readContract(client.publicClient, {
    ...contract,
    functionName: isDid ? "checkDID" : "checkDataHashAttestation",
  });
  const own = views.find((view) => isAddressEqual(view.issuer, issuer) && view.live);
  return { live: own !== undefined, expiresAt: own ? isoTime(own.expiresAt) : null, counts };
}

/** Returns a line for a person. */
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
