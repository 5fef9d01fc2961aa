import type { CanonicalDid, Controller } from "@app-registry/sdk";
import { getLatestBlockNumber } from "@app-registry/sdk/internal";
import type { Address } from "viem";
import { checkDidControl } from "../proof/checkDidControl.ts";
import type { DidControlEvidence } from "../proof/didControl.ts";
import { attestStatement, liveAttestations } from "./attestStatement.ts";
import type { IssuerContext } from "./issuerContext.ts";
import { type AttestationOutcome, createFailedOutcome } from "./verifyAndAttestSchema.ts";

/** Attests that a wallet controls a DID. Does nothing if that is attested and not due for renewal. */
export async function attestOwnership(
  context: IssuerContext,
  { did, connectedAddress: controller }: { did: CanonicalDid; connectedAddress: Address },
): Promise<AttestationOutcome> {
  const statement = { schema: "did-ownership", did, subject: controller } as const;
  return attestStatement(context, {
    statement,
    readAt: await getLatestBlockNumber(context),
    async find({ txHash, evidence, ...at }) {
      const state = await context.client.getController({ did, controller, ...at });
      if (!state.attested) return undefined;
      await context.rememberDid(did);
      const attestations = await liveAttestations(context, statement, { txHash, ...at });
      const txHashes = txHash ? [txHash] : [];
      return describe(state, controller, { attestations, txHashes, ...(evidence && { evidence }) });
    },
    async check() {
      const { chainId } = context.deployment;
      const control = await context.sendCheck({
        send: () => checkDidControl({ ...context, chainId, did, controller, now: context.now() }),
        provesControl: ({ outcome }) => outcome === "pass",
      });
      if (control.outcome !== "pass") {
        const { code, reason, ways, publish, outcome } = control;
        return createFailedOutcome(code, reason, {
          retryable: outcome === "unknown",
          ways,
          ...(publish && { publish }),
        });
      }
      await context.rememberDid(did);
      return { evidence: control.evidence };
    },
  });
}

type Found = Pick<AttestationOutcome, "attestations" | "txHashes"> & { evidence?: DidControlEvidence };

/**
 * Describes the effect of an attestation: control now, or a waiting period because another account was attested before.
 */
function describe(
  { controls, controlsFrom, blockedUntil }: Controller,
  controller: Address,
  found: Found,
): Extract<AttestationOutcome, { status: "attested" | "waiting" }> {
  if (controls) return { status: "attested", ...found };
  const why = blockedUntil
    ? `A controller of this DID blocked ${controller} until ${isoTime(blockedUntil)}.`
    : "Another account was attested for this DID before.";
  const when = controlsFrom
    ? `takes effect on ${isoTime(controlsFrom)}`
    : "doesn't take effect before the attestation expires";
  return {
    status: "waiting",
    controlsFrom: controlsFrom ?? null,
    ...(blockedUntil && { blockedUntil }),
    detail: `${why} Its control ${when}.`,
    ...found,
  };
}

const isoTime = (seconds: number): string => new Date(seconds * 1_000).toISOString();
