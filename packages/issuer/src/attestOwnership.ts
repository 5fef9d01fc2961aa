import type { CanonicalDid, Controller } from "@app-registry/sdk";
import { latestBlock } from "@app-registry/sdk/internal";
import type { Address } from "viem";
import { type Attested, failed, pending, renewed, signed } from "./attestationOutcome.ts";
import { ownershipAttestations } from "./attestationResults.ts";
import { checkDidControl } from "./checkDidControl.ts";
import type { DidControlEvidence } from "./didControl.ts";
import { findRefusal } from "./findRefusal.ts";
import { isEnding } from "./isEnding.ts";
import type { IssuerContext } from "./issuerContext.ts";
import type { Sent } from "./sending/sender.ts";

type Ownership = { did: CanonicalDid; connectedAddress: Address };

/** Attests that a wallet controls a DID, unless that is attested already and for long. */
export async function attestOwnership(context: IssuerContext, ownership: Ownership): Promise<Attested> {
  const { client, attesting } = context;
  const { did, connectedAddress: controller } = ownership;
  const open = attesting.mode === "send" ? await attesting.sender.resume(keyOf(ownership)) : undefined;
  if (open) return afterSending(context, ownership, open);

  const readAt = await latestBlock(context);
  const before = await client.getController({ did, controller });
  if (!before.attested) return attest(context, ownership, readAt);
  await context.rememberDid(did);
  const attestations = await ownershipAttestations(context, { did, controller });
  const found = describe(before, controller, { attestations, txHashes: [] });
  const present: Attested = before.counts ? { ...found, status: "already-attested" } : found;
  if (!(await isEnding(context, attestations))) return present;
  return renewed(present, attest(context, ownership, readAt));
}

const keyOf = ({ did, connectedAddress }: Ownership): string => `${did} ${connectedAddress}`;

async function attest(context: IssuerContext, ownership: Ownership, readAt: bigint): Promise<Attested> {
  const { client, attesting } = context;
  const { did, connectedAddress: controller } = ownership;
  const call = client.prepareAttestDid({ did, controller });
  const refusal = await findRefusal(context, call);
  if (refusal) return refusal;
  if (attesting.mode === "send") await attesting.sender.assertFunds();
  const control = await checkDidControl({
    ...context,
    chainId: context.deployment.chainId,
    did,
    controller,
    now: context.now(),
  });
  if (control.outcome !== "pass") {
    const { code, reason, ways, publish, outcome } = control;
    return failed(code, reason, { retryable: outcome === "unknown", ways, ...(publish ? { publish } : {}) });
  }
  await context.rememberDid(did);
  if (attesting.mode === "sign") {
    return signed(await attesting.sign({ schema: "did-ownership", did, controller }));
  }
  const sent = await attesting.sender.send({ key: keyOf(ownership), call, readAt });
  return afterSending(context, ownership, sent, control.evidence);
}

/** Only what the resolver says at the receipt's own block is reported. */
async function afterSending(
  context: IssuerContext,
  { did, connectedAddress: controller }: Ownership,
  sent: Sent,
  evidence?: DidControlEvidence,
): Promise<Attested> {
  if (sent.status === "pending") return pending(sent.hash);
  const txHashes = [sent.hash];
  if (sent.status === "reverted") {
    return failed("transaction-reverted", sent.reason, { retryable: true, txHashes });
  }
  const at = { blockNumber: sent.blockNumber };
  const after = await context.client.getController({ did, controller, ...at });
  const attestations = await ownershipAttestations(context, { did, controller, txHash: sent.hash, ...at });
  if (after.attested) {
    return describe(after, controller, { attestations, txHashes, ...(evidence ? { evidence } : {}) });
  }
  return failed("attestation-not-live", "The attestation was written, but the resolver does not take it.", {
    retryable: true,
    txHashes,
  });
}

type Found = Pick<Attested, "attestations" | "txHashes"> & { evidence?: DidControlEvidence };

/** What an attestation is worth to a wallet: it counts, or waits because another wallet claimed the DID before it. */
function describe(
  { counts, objected, settlesAt }: Controller,
  controller: Address,
  found: Found,
): Extract<Attested, { status: "attested" | "waiting" | "failed" }> {
  if (counts) return { status: "attested", ...found };
  if (objected) {
    const detail =
      `${controller} is attested, but a controller of this DID objects to it. It counts when no objection is in ` +
      "force any more (getObjections of the resolver).";
    return failed("controller-objected", detail, found);
  }
  if (settlesAt === undefined) {
    const detail =
      `Another wallet claimed this DID before, and the attestation of ${controller} expires before its wait is over. ` +
      "It counts when a wallet that counts vouches for it (vouchController of the resolver).";
    return failed("attestation-never-settles", detail, found);
  }
  const when = new Date(settlesAt * 1_000).toISOString();
  const detail =
    `Another wallet claimed this DID before. ${controller} counts from ${when}, ` +
    "or at once when a wallet that counts vouches for it (vouchController of the resolver).";
  return { status: "waiting", countsFrom: settlesAt, detail, ...found };
}
