import { type AppRegistryClient, AppRegistryError, type CanonicalDid } from "@app-registry/sdk";
import { getLatestBlockNumber } from "@app-registry/sdk/internal";
import type { Address } from "viem";
import { findRecordByDataHash } from "../../packages/issuer/src/attest/attestDataHash.ts";
import type { Issuer } from "../../packages/issuer/src/issuer.ts";
import type { AttestationEvent } from "../../packages/issuer/src/revalidation/readAttestationEvents.ts";
import { toJobKey } from "../../packages/issuer/src/revalidation/revalidationStore.ts";
import { connect } from "../../packages/server/src/connections.ts";
import { readEnvironment } from "../../packages/server/src/environment.ts";
import { startIssuer } from "../../packages/server/src/issuer.ts";
import { isAttested, readStatements } from "./issuerStatements.ts";

/**
 * Verifies and attests, as the issuer of the web app's settings, another issuer's attestations: those that were live at
 * its distrust or are live after its retirement, and those since its distrust.
 * @returns The number of statements to retry.
 * @throws Error if the other issuer is still active, or if the chain or missing funds stop all attestations. A later
 * run does not repeat completed attestations.
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
    // Wallets first, because documents are attested only while the minter or holder controls the DID. A thief's
    // possible additions are last.
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
    print(`${issuer.address} processed ${asked} statements of ${from}; ${again} of them need a retry.`);
    const unknown = statements.size - asked;
    if (unknown > 0)
      print(`${unknown} more are about DIDs that are neither in the registry nor in the database.`);
    return again;
  } catch (error) {
    if (!(error instanceof AppRegistryError) || !error.retryable) throw error;
    throw new Error(`${error.shortMessage} Run the command again later: it continues from here.`);
  } finally {
    issuer?.close();
    await Promise.all([registry.guardedFetch.close(), registry.database.end()]);
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
  const outcome = isSigned ? "the publisher must request and submit it" : result.status;
  return { outcome, retryable: result.status === "pending" };
}
