import { RecordedDocumentError, readRecordedDocument } from "@app-registry/outbound";
import type { AppSummary, CanonicalDid } from "@app-registry/sdk";
import { latestBlock, orUndefinedIfNotRegistered } from "@app-registry/sdk/internal";
import type { Hex } from "viem";
import { type Attested, type Failed, failed, pending, renewed, signed } from "./attestationOutcome.ts";
import { dataHashAttestations } from "./attestationResults.ts";
import { findRefusal } from "./findRefusal.ts";
import { isEnding } from "./isEnding.ts";
import type { IssuerContext } from "./issuerContext.ts";
import type { Sent } from "./sending/sender.ts";

/**
 * Attests the dataHash that a record carries now, when its minter or holder controls the DID and the document
 * canonicalises to it, unless it is attested already and for long. Nothing that the caller names is attested.
 */
export async function attestDataHash(
  context: IssuerContext,
  { did, major }: { did: CanonicalDid; major?: number | undefined },
): Promise<Attested> {
  const { attesting } = context;
  const blockNumber = await latestBlock(context);
  // One block for every read, so that an update in between mixes no two versions.
  const record = await findRecord(context, did, major, blockNumber);
  if (!record) {
    const what = major === undefined ? did : `Major version ${major} of ${did}`;
    return failed("app-not-found", `${what} is not registered, so there is no hash to attest.`);
  }
  const { dataHash } = record;
  const open = attesting.mode === "send" ? await attesting.sender.resume(`${did} ${dataHash}`) : undefined;
  if (open) return afterSending(context, did, dataHash, open);

  const attestations = await dataHashAttestations(context, { did, dataHash, blockNumber });
  if (attestations.length === 0) return attest(context, did, record, blockNumber);
  const present: Attested = { status: "already-attested", attestations, txHashes: [] };
  if (!(await isEnding(context, attestations))) return present;
  return renewed(present, attest(context, did, record, blockNumber));
}

async function attest(
  context: IssuerContext,
  did: CanonicalDid,
  record: AppSummary,
  blockNumber: bigint,
): Promise<Attested> {
  const { client, attesting } = context;
  const { dataHash } = record;
  const call = client.prepareAttestDataHash({ did, dataHash });
  const refused = await findRefusal(context, call);
  if (refused) return refused;
  if (attesting.mode === "send") await attesting.sender.assertFunds();
  const refusal = await checkRecordOf(context, did, record, blockNumber);
  if (refusal) return refusal;
  if (attesting.mode === "sign") {
    return signed(await attesting.sign({ schema: "data-hash", did, dataHash }));
  }
  const sent = await attesting.sender.send({ key: `${did} ${dataHash}`, call, readAt: blockNumber });
  return afterSending(context, did, dataHash, sent);
}

/** Why the hash of a record is not to be attested; undefined when it is. */
export async function checkRecordOf(
  { client, guardedFetch }: Pick<IssuerContext, "client" | "guardedFetch">,
  did: CanonicalDid,
  { minter, owner, latestVersion }: AppSummary,
  blockNumber: bigint,
): Promise<Failed | undefined> {
  const counting = await Promise.all(
    [minter, owner].map((controller) => client.checkDid({ did, controller, blockNumber })),
  );
  if (!counting.some(Boolean)) {
    return failed("record-not-controlled", `Neither minter nor holder of the record controls ${did} now.`);
  }
  try {
    const version = await client.getVersionRecord({ did, version: latestVersion, blockNumber });
    await readRecordedDocument({ client, guardedFetch, record: version });
    return undefined;
  } catch (error) {
    if (!(error instanceof RecordedDocumentError)) throw error;
    return failed(error.code, error.shortMessage, { retryable: error.retryable });
  }
}

/** Only what the resolver says at the receipt's own block is reported. */
async function afterSending(
  context: IssuerContext,
  did: CanonicalDid,
  dataHash: Hex,
  sent: Sent,
): Promise<Attested> {
  if (sent.status === "pending") return pending(sent.hash);
  const txHashes = [sent.hash];
  if (sent.status === "reverted") {
    return failed("transaction-reverted", sent.reason, { retryable: true, txHashes });
  }
  const at = { blockNumber: sent.blockNumber };
  if (!(await context.client.checkDataHashAttestation({ did, dataHash, ...at }))) {
    const detail = "The attestation was written, but the resolver does not take it.";
    return failed("attestation-not-live", detail, { retryable: true, txHashes });
  }
  const attestations = await dataHashAttestations(context, { did, dataHash, txHash: sent.hash, ...at });
  return { status: "attested", attestations, txHashes };
}

async function findRecord(
  { client }: Pick<IssuerContext, "client">,
  did: CanonicalDid,
  major: number | undefined,
  blockNumber: bigint,
): Promise<AppSummary | undefined> {
  const wanted = major ?? (await orUndefinedIfNotRegistered(client.latestMajor(did, { blockNumber })));
  if (wanted === undefined) return undefined;
  return orUndefinedIfNotRegistered(client.getAppSummary({ did, major: wanted, blockNumber }));
}

/** The record of a DID that carries a hash now; the latest major version when several do. */
export async function findRecordCarrying(
  context: Pick<IssuerContext, "client">,
  did: CanonicalDid,
  dataHash: Hex,
  blockNumber: bigint,
): Promise<AppSummary | undefined> {
  let record = await findRecord(context, did, undefined, blockNumber);
  for (let major = record?.latestVersion.major ?? 0; record?.dataHash !== dataHash; ) {
    if (major === 0) return undefined;
    major -= 1;
    record = await findRecord(context, did, major, blockNumber);
  }
  return record;
}
