import type { AtBlock, PreparedCall } from "@app-registry/sdk";
import type { Hash } from "viem";
import { type Attested, type Failed, failed, pending, renewed, signed } from "./attestationOutcome.ts";
import type { DidControlEvidence } from "./didControl.ts";
import { findRefusal } from "./findRefusal.ts";
import { isEnding } from "./isEnding.ts";
import type { IssuerContext, Statement } from "./issuerContext.ts";
import type { Sent } from "./sending/sender.ts";

/** An attestation that this issuer just sent; an older one has no transaction or evidence at hand. */
export type JustSent = { txHash?: Hash; evidence?: DidControlEvidence } & AtBlock;

/** What a schema attests, and how it is checked. */
export type Attestable = {
  statement: Statement;
  /** Names its transaction: one is open at a time. */
  key: string;
  call: PreparedCall;
  /** The block at which it was last known not to be attested. */
  readAt: bigint;
  /** What the resolver says of it; undefined when it takes no attestation of it. */
  find(sent: JustSent): Promise<Attested | undefined>;
  /** Why it is not to be attested, or what shows that it is true. */
  check(): Promise<Failed | { evidence?: DidControlEvidence }>;
};

/** The issuer's open transaction of a key, once it has an outcome. */
export const resume = async ({ attesting }: IssuerContext, key: string): Promise<Sent | undefined> =>
  attesting.mode === "send" ? attesting.sender.resume(key) : undefined;

/** Attests, unless it is attested already and for long. */
export async function attestStatement(context: IssuerContext, attestable: Attestable): Promise<Attested> {
  const found = await attestable.find({});
  if (!found) return attest(context, attestable);
  const present: Attested = found.status === "attested" ? { ...found, status: "already-attested" } : found;
  if (!(await isEnding(context, present.attestations))) return present;
  return renewed(present, attest(context, attestable));
}

async function attest(context: IssuerContext, attestable: Attestable): Promise<Attested> {
  const { attesting } = context;
  const { statement, key, call, readAt } = attestable;
  const refusal = await findRefusal(context, call);
  if (refusal) return refusal;
  if (attesting.mode === "send") await attesting.sender.assertFunds(attesting.spender);
  await context.beforeCheck?.();
  const checked = await attestable.check();
  if ("status" in checked) return checked;
  if (attesting.mode === "sign") return signed(await attesting.sign(statement));
  const { sender, spender } = attesting;
  return outcomeOf(attestable, await sender.send({ key, call, readAt, spender }), checked.evidence);
}

/** What came of a transaction. Only what the resolver says at the receipt's own block is reported. */
export async function outcomeOf(
  { find }: Pick<Attestable, "find">,
  sent: Sent,
  evidence?: DidControlEvidence,
): Promise<Attested> {
  if (sent.status === "pending") return pending(sent.hash);
  const txHashes = [sent.hash];
  if (sent.status === "reverted") {
    return failed("transaction-reverted", sent.reason, { retryable: true, txHashes });
  }
  const attested = await find({
    txHash: sent.hash,
    blockNumber: sent.blockNumber,
    ...(evidence && { evidence }),
  });
  const detail = "The attestation is on the chain, but the resolver does not accept it.";
  return attested ?? failed("attestation-not-live", detail, { retryable: true, txHashes });
}
