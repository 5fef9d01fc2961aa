import { AppRegistryError, type CanonicalDid } from "@app-registry/sdk";
import { latestBlock } from "@app-registry/sdk/internal";
import type { Address, Hex } from "viem";
import { findRecordCarrying } from "../../packages/issuer/src/attestDataHash.ts";
import type { Issuer } from "../../packages/issuer/src/issuer.ts";
import type { Connections } from "../../packages/server/src/connections.ts";
import { startIssuer } from "../../packages/server/src/issuer.ts";
import { isAttested, readStatements } from "./issuerStatements.ts";
import { ScriptError } from "./runScript.ts";

/** What another issuer attested. */
interface Statement {
  schema: "did-ownership" | "data-hash";
  did: CanonicalDid;
  subject: Hex;
}

/**
 * Has the issuer of the web app's settings verify and attest what another issuer attested that was live when it was
 * distrusted, or is live since it was retired, and what it attested since its distrust.
 * @returns How many should be tried again.
 * @throws {ScriptError} When the other issuer is still active. What attesting throws, when the chain or the funds hold
 * everything up: what was attested by then is not attested twice.
 */
export async function reattest(
  registry: Connections,
  from: Address,
  print: (line: string) => void,
): Promise<number> {
  const { client } = registry;
  const { status, distrustedSince } = await client.getIssuer(from);
  if (status !== "retired" && status !== "distrusted") {
    throw new ScriptError(`${from} is ${status} as an issuer: retire or distrust it first.`);
  }
  const issuer = await startIssuer(registry);
  try {
    const { known, unknown } = await readToAttest(registry, from, distrustedSince);
    let again = 0;
    for (const statement of known) {
      const { outcome, retryable } = await attest(registry, issuer, statement);
      print(`${statement.did}  ${statement.subject}  ${outcome}`);
      if (retryable) again += 1;
    }
    print(`${issuer.address} was asked for ${known.length} statements of ${from}; ${again} to try again.`);
    if (unknown > 0) print(`${unknown} more are of DIDs that nobody named.`);
    return again;
  } finally {
    issuer.close();
  }
}

async function readToAttest(
  { client, publicClient, environment }: Connections,
  issuer: Address,
  distrustedSince: number | undefined,
): Promise<{ known: Statement[]; unknown: number }> {
  const { timestamp } = await publicClient.getBlock();
  const end = distrustedSince === undefined ? timestamp + 1n : BigInt(distrustedSince);
  const source = { client, publicClient, issuer, databaseUrl: environment.databaseUrl };
  const { before, since, didOf } = await readStatements(source, end);
  const live = before.attestations.filter(({ expiresAt = 0 }) => BigInt(expiresAt) > end);
  // Wallets first: a document is attested only while a wallet counts. What a thief may have added comes last.
  const walletsFirst = (a: { schema: string }, b: { schema: string }) => b.schema.localeCompare(a.schema);
  const statements = [
    ...live.sort(walletsFirst),
    ...since.attestations.filter(isAttested).sort(walletsFirst),
  ];
  const known = new Map<string, Statement>();
  let unknown = 0;
  for (const { schema, didHash, subject } of statements) {
    const did = didOf(didHash);
    if (did) known.set(`${did} ${subject}`, { schema, did, subject });
    else unknown += 1;
  }
  return { known: [...known.values()], unknown };
}

async function attest(
  { client, publicClient }: Connections,
  issuer: Issuer,
  { schema, did, subject }: Statement,
): Promise<{ outcome: string; retryable: boolean }> {
  let major: number | undefined;
  if (schema === "data-hash") {
    const record = await findRecordCarrying({ client }, did, subject, await latestBlock({ publicClient }));
    if (!record) return { outcome: "no record carries this document now", retryable: false };
    major = record.latestVersion.major;
  }
  const result = await issuer.verifyAndAttest({
    did,
    connectedAddress: schema === "did-ownership" ? subject : issuer.address,
    requiredSchemas: [schema],
    ...(major !== undefined && { major }),
  });
  if (result.status === "failed") {
    return { outcome: `not attested: ${result.code}. ${result.detail}`, retryable: result.retryable };
  }
  if (result.status === "signed") {
    return { outcome: "to be asked for by the publisher, who sends it", retryable: false };
  }
  return { outcome: result.status, retryable: result.status === "pending" };
}

/** What to say of an error that holds everything up. */
export function heldUp(error: unknown): string | undefined {
  if (!(error instanceof AppRegistryError) || !error.retryable) return undefined;
  return `${error.shortMessage} Nothing is lost: run the command again later.`;
}
