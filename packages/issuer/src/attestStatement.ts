import type { BlockParameter, PreparedCall } from "@app-registry/sdk";
import type { Hash } from "viem";
import {
  type AttestationOutcome,
  createFailedOutcome,
  createPendingOutcome,
  createSignedOutcome,
  type FailedOutcome,
  withRenewal,
} from "./attestationOutcome.ts";
import type { DidControlEvidence } from "./didControl.ts";
import { findRefusal } from "./findRefusal.ts";
import { isDueForRenewal } from "./isDueForRenewal.ts";
import type { IssuerContext, Statement } from "./issuerContext.ts";
import type { Sent } from "./sending/sender.ts";

/** Attestation that this issuer just sent. For an older one, the transaction and the evidence are not known. */
export type SentAttestation = { txHash?: Hash; evidence?: DidControlEvidence } & BlockParameter;

/** Statement to attest, with the functions that check it. */
export type AttestationTask = {
  statement: Statement;
  /** Key of its transaction. At most one transaction per key is open. */
  key: string;
  call: PreparedCall;
  /** Latest block at which the statement was known not to be attested. */
  readAt: bigint;
  /** Reads the attestation from the resolver. Returns `undefined` if the resolver accepts none. */
  find(sent: SentAttestation): Promise<AttestationOutcome | undefined>;
  /** Checks the statement. Returns a failure, or the evidence for it. */
  check(): Promise<FailedOutcome | { evidence?: DidControlEvidence }>;
};

/** Waits for the outcome of the issuer's open transaction with a key. Returns `undefined` if none exists. */
export const resumeTransaction = async (
  { attesting }: IssuerContext,
  key: string,
): Promise<Sent | undefined> => (attesting.mode === "send" ? attesting.sender.resume(key) : undefined);

/** Attests a statement. Does nothing if it is attested and not due for renewal. */
export async function attestStatement(
  context: IssuerContext,
  attestable: AttestationTask,
): Promise<AttestationOutcome> {
  const found = await attestable.find({});
  if (!found) return attest(context, attestable);
  const present: AttestationOutcome =
    found.status === "attested" ? { ...found, status: "already-attested" } : found;
  if (!(await isDueForRenewal(context, present.attestations))) return present;
  return withRenewal(present, attest(context, attestable));
}

async function attest(context: IssuerContext, attestable: AttestationTask): Promise<AttestationOutcome> {
  const { attesting } = context;
  const { statement, key, call, readAt } = attestable;
  const refusal = await findRefusal(context, call);
  if (refusal) return refusal;
  if (attesting.mode === "send") await attesting.sender.assertFunds(attesting.spender);
  await context.beforeCheck?.();
  const checked = await attestable.check();
  if ("status" in checked) return checked;
  if (attesting.mode === "sign") return createSignedOutcome(await attesting.sign(statement));
  const { sender, spender } = attesting;
  return toOutcome(attestable, await sender.send({ key, call, readAt, spender }), checked.evidence);
}

/** Converts the result of a transaction to an outcome. Reads the resolver at the block of the receipt. */
export async function toOutcome(
  { find }: Pick<AttestationTask, "find">,
  sent: Sent,
  evidence?: DidControlEvidence,
): Promise<AttestationOutcome> {
  if (sent.status === "pending") return createPendingOutcome(sent.hash);
  const txHashes = [sent.hash];
  if (sent.status === "reverted") {
    return createFailedOutcome("transaction-reverted", sent.reason, { retryable: true, txHashes });
  }
  const attested = await find({
    txHash: sent.hash,
    blockNumber: sent.blockNumber,
    ...(evidence && { evidence }),
  });
  const detail = "The attestation is on the chain, but the resolver does not accept it.";
  return attested ?? createFailedOutcome("attestation-not-live", detail, { retryable: true, txHashes });
}
