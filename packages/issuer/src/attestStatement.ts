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

/** An attestation that this issuer just sent; an older one has no transaction or evidence at hand. */
export type SentAttestation = { txHash?: Hash; evidence?: DidControlEvidence } & BlockParameter;

/** What a schema attests, and how it is checked. */
export type AttestationTask = {
  statement: Statement;
  /** Names its transaction: one is open at a time. */
  key: string;
  call: PreparedCall;
  /** The block at which it was last known not to be attested. */
  readAt: bigint;
  /** What the resolver says of it; undefined when it takes no attestation of it. */
  find(sent: SentAttestation): Promise<AttestationOutcome | undefined>;
  /** Why it is not to be attested, or what shows that it is true. */
  check(): Promise<FailedOutcome | { evidence?: DidControlEvidence }>;
};

/** The issuer's open transaction of a key, once it has an outcome. */
export const resumeTransaction = async (
  { attesting }: IssuerContext,
  key: string,
): Promise<Sent | undefined> => (attesting.mode === "send" ? attesting.sender.resume(key) : undefined);

/** Attests, unless it is attested already and for long. */
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

/** What came of a transaction. Only what the resolver says at the receipt's own block is reported. */
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
