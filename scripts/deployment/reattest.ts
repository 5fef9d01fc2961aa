import { type AppRegistryClient, AppRegistryError, type CanonicalDid } from "@app-registry/sdk";
import { getLatestBlockNumber } from "@app-registry/sdk/internal";
import type { Address } from "viem";
import { findRecordByDataHash } from "../../packages/issuer/src/attestDataHash.ts";
import type { Issuer } from "../../packages/issuer/src/issuer.ts";
import type { AttestationEvent } from "../../packages/issuer/src/revalidation/readAttestationEvents.ts";
import { toJobKey } from "../../packages/issuer/src/revalidation/trackedAttestation.ts";
import { connect } from "../../packages/server/src/connections.ts";
import { readEnvironment } from "../../packages/server/src/environment.ts";
import { startIssuer } from "../../packages/server/src/issuer.ts";
import { isAttested, readStatements } from "./issuerStatements.ts";

/**
 * Has the issuer of the web app's settings verify and attest what another issuer attested that was live when it was
 * distrusted, or is live since it was retired, and what it attested since its distrust.
 * @returns How many should be tried again.
 * @throws When the other issuer is still active, or when the chain or the funds stop all attestations. What was attested
 * by then is not attested twice.
 */
export async function reattest(from: Address, print: (line: string) => void): Promise<number> {
  const registry = connect(readEnvironment(process.env));
  const { client, publicClient, environment } = registry;
  let issuer: Issuer | undefined;
  try {
    const { status, distrustedSince } = await client.getIssuer(from);
    if (status !== "retired" && status !== "distrusted") {
      throw new Error(`${from} is ${status} as an issuer: retire or distrust it first.`);
    }
    issuer = await startIssuer(registry);
    const end = BigInt(distrustedSince ?? (await publicClient.getBlock()).timestamp + 1n);
    const source = { client, issuer: from, databaseUrl: environment.databaseUrl };
    const { before, since, didOf } = await readStatements(source, end);
    const live = before.filter(({ expiresAt = 0 }) => BigInt(expiresAt) > end);
    // Wallets first: a document is attested only while its record's minter or holder controls the DID. What a thief may have added comes last.
    const walletsFirst = (a: AttestationEvent, b: AttestationEvent) => b.schema.localeCompare(a.schema);
    const inOrder = [...live.sort(walletsFirst), ...since.filter(isAttested).sort(walletsFirst)];
    const statements = new Map(inOrder.map((event) => [toJobKey(event).key, event]));
    let [asked, again] = [0, 0];
    for (const statement of statements.values()) {
      const did = didOf(statement.didHash);
      if (!did) continue;
      asked += 1;
      const { outcome, retryable } = await attest(client, issuer, did, statement);
      print(`${did}  ${statement.subject}  ${outcome}`);
      if (retryable) again += 1;
    }
    print(`${issuer.address} was asked for ${asked} statements of ${from}; ${again} to try again.`);
    const unknown = statements.size - asked;
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

async function attest(
  client: AppRegistryClient,
  issuer: Issuer,
  did: CanonicalDid,
  { schema, subject }: AttestationEvent,
): Promise<{ outcome: string; retryable: boolean }> {
  const isDocument = schema === "data-hash";
  const block = await getLatestBlockNumber(client);
  const record = isDocument ? await findRecordByDataHash({ client }, did, subject, block) : undefined;
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
