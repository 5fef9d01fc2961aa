import { AppRegistryError, type CanonicalDid } from "@app-registry/sdk";
import { latestBlock } from "@app-registry/sdk/internal";
import type { Address } from "viem";
import { findRecordCarrying } from "../../packages/issuer/src/attestDataHash.ts";
import type { Issuer } from "../../packages/issuer/src/issuer.ts";
import type { AttestationEvent } from "../../packages/issuer/src/revalidation/readAttestationEvents.ts";
import { connect } from "../../packages/server/src/connections.ts";
import { readEnvironment } from "../../packages/server/src/environment.ts";
import { startIssuer } from "../../packages/server/src/issuer.ts";
import { isAttested, readStatements } from "./issuerStatements.ts";

type Registry = ReturnType<typeof connect>;

/**
 * Has the issuer of the web app's settings verify and attest what another issuer attested that was live when it was
 * distrusted, or is live since it was retired, and what it attested since its distrust.
 * @returns How many should be tried again.
 * @throws When the other issuer is still active, or when the chain or the funds stop all attestations. What was attested
 * by then is not attested twice.
 */
export async function reattest(from: Address, print: (line: string) => void): Promise<number> {
  const registry = connect(readEnvironment(process.env));
  let issuer: Issuer | undefined;
  try {
    const { status, distrustedSince } = await registry.client.getIssuer(from);
    if (status !== "retired" && status !== "distrusted") {
      throw new Error(`${from} is ${status} as an issuer: retire or distrust it first.`);
    }
    issuer = await startIssuer(registry);
    const { known, unknown } = await readToAttest(registry, from, distrustedSince);
    let again = 0;
    for (const [did, statement] of known) {
      const { outcome, retryable } = await attest(registry, issuer, did, statement);
      print(`${did}  ${statement.subject}  ${outcome}`);
      if (retryable) again += 1;
    }
    print(`${issuer.address} was asked for ${known.length} statements of ${from}; ${again} to try again.`);
    if (unknown > 0) print(`${unknown} more are of DIDs that nobody named.`);
    return again;
  } catch (error) {
    if (!(error instanceof AppRegistryError) || !error.retryable) throw error;
    throw new Error(`${error.shortMessage} Nothing is lost: run the command again later.`);
  } finally {
    issuer?.close();
    await Promise.all([registry.guardedFetch.close(), registry.database?.end()]);
  }
}

async function readToAttest(
  { client, publicClient, environment: { databaseUrl } }: Registry,
  issuer: Address,
  distrustedSince: number | undefined,
) {
  const { timestamp } = await publicClient.getBlock();
  const end = distrustedSince === undefined ? timestamp + 1n : BigInt(distrustedSince);
  const { before, since, didOf } = await readStatements({ client, issuer, databaseUrl }, end);
  const live = before.filter(({ expiresAt = 0 }) => BigInt(expiresAt) > end);
  // Wallets first: a document is attested only while a wallet counts. What a thief may have added comes last.
  const walletsFirst = (a: AttestationEvent, b: AttestationEvent) => b.schema.localeCompare(a.schema);
  const known = new Map<string, [CanonicalDid, AttestationEvent]>();
  let unknown = 0;
  for (const event of [...live.sort(walletsFirst), ...since.filter(isAttested).sort(walletsFirst)]) {
    const did = didOf(event.didHash);
    if (did) known.set(`${did} ${event.subject}`, [did, event]);
    else unknown += 1;
  }
  return { known: [...known.values()], unknown };
}

async function attest(
  { client, publicClient }: Registry,
  issuer: Issuer,
  did: CanonicalDid,
  { schema, subject }: AttestationEvent,
): Promise<{ outcome: string; retryable: boolean }> {
  const isDocument = schema === "data-hash";
  const block = await latestBlock({ publicClient });
  const record = isDocument ? await findRecordCarrying({ client }, did, subject, block) : undefined;
  if (isDocument && !record) return { outcome: "no record carries this document now", retryable: false };
  const result = await issuer.verifyAndAttest({
    did,
    connectedAddress: isDocument ? issuer.address : subject,
    requiredSchemas: [schema],
    ...(record && { major: record.latestVersion.major }),
  });
  if (result.status === "failed") {
    return { outcome: `not attested: ${result.code}. ${result.detail}`, retryable: result.retryable };
  }
  const isSigned = result.status === "signed";
  const outcome = isSigned ? "to be asked for by the publisher, who sends it" : result.status;
  return { outcome, retryable: result.status === "pending" };
}
