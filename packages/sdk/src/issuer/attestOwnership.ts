import type { Address } from "viem";
import type { Controller } from "../client/index.ts";
import { type Attested, failed, pending, signed } from "./attestationOutcome.ts";
import { ownershipAttestations } from "./attestationResults.ts";
import { checkDidControl } from "./checkDidControl.ts";
import type { DidControlEvidence } from "./didControl.ts";
import type { IssuerContext } from "./issuerContext.ts";
import { readBlockNumber } from "./readBlockNumber.ts";
import type { Sent } from "./sending/sender.ts";

type Ownership = { did: string; connectedAddress: Address };

/** Attests that a wallet controls a DID, unless that is attested already. */
export async function attestOwnership(context: IssuerContext, ownership: Ownership): Promise<Attested> {
  const { client, attesting } = context;
  const { did, connectedAddress: controller } = ownership;
  const key = `${did} ${controller}`;
  const open = attesting.mode === "send" ? await attesting.sender.resume(key) : undefined;
  if (open) return afterSending(context, ownership, open);

  const readAt = await readBlockNumber(context);
  const before = await client.getController({ did, controller });
  if (before.attested) {
    await context.rememberDid(did);
    const attestations = await ownershipAttestations(context, { did, controller });
    if (before.counts) return { status: "already-attested", attestations, txHashes: [] };
    const view = newcomer(before, controller);
    return view.status === "waiting" ? { ...view, attestations } : view;
  }
  if (before.rejected) return newcomer(before, controller);

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
  const call = client.prepareAttestDid({ did, controller });
  const sent = await attesting.sender.send({ key, call, readAt });
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
  const found = { attestations, txHashes, ...(evidence ? { evidence } : {}) };
  if (after.counts) return { status: "attested", ...found };
  const view = newcomer(after, controller);
  if (after.attested) return view.status === "waiting" ? { ...view, ...found } : { ...view, txHashes };
  return failed("attestation-not-live", "The attestation was written, but the resolver does not take it.", {
    retryable: true,
    txHashes,
  });
}

/** A wallet that is attested and does not count: another one claimed the DID before it. */
function newcomer(view: Controller, controller: Address): Attested {
  if (view.rejected || view.countsFrom === undefined) {
    const detail = `A wallet that controls this DID rejected ${controller}. It counts after a won challenge only.`;
    return failed("controller-rejected", detail);
  }
  const when = new Date(view.countsFrom * 1_000).toISOString();
  const detail =
    `Another wallet claimed this DID before. ${controller} counts from ${when}, ` +
    "or at once when a wallet that counts vouches for it (vouchController of the resolver).";
  return { status: "waiting", countsFrom: view.countsFrom, detail, attestations: [], txHashes: [] };
}
