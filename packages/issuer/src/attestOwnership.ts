import type { CanonicalDid, Controller } from "@app-registry/sdk";
import { latestBlock } from "@app-registry/sdk/internal";
import type { Address } from "viem";
import { type Attested, failed } from "./attestationOutcome.ts";
import { ownershipAttestations } from "./attestationResults.ts";
import { attestStatement, type JustSent, outcomeOf, resume } from "./attestStatement.ts";
import { checkDidControl } from "./checkDidControl.ts";
import type { DidControlEvidence } from "./didControl.ts";
import type { IssuerContext } from "./issuerContext.ts";

/** Attests that a wallet controls a DID, unless that is attested already and for long. */
export async function attestOwnership(
  context: IssuerContext,
  { did, connectedAddress: controller }: { did: CanonicalDid; connectedAddress: Address },
): Promise<Attested> {
  const { client } = context;
  const key = `${did} ${controller}`;
  const find = async ({ txHash, evidence, ...at }: JustSent) => {
    const state = await client.getController({ did, controller, ...at });
    if (!state.attested) return undefined;
    await context.rememberDid(did);
    const sent = txHash && { txHash };
    const attestations = await ownershipAttestations(context, { did, controller, ...sent, ...at });
    return describe(state, controller, {
      attestations,
      txHashes: txHash ? [txHash] : [],
      ...(evidence && { evidence }),
    });
  };
  const open = await resume(context, key);
  if (open) return outcomeOf({ find }, open);
  return attestStatement(context, {
    statement: { schema: "did-ownership", did, controller },
    key,
    call: client.prepareAttestDid({ did, controller }),
    readAt: await latestBlock(context),
    find,
    async check() {
      const { chainId } = context.deployment;
      const control = await checkDidControl({ ...context, chainId, did, controller, now: context.now() });
      if (control.outcome !== "pass") {
        const { code, reason, ways, publish, outcome } = control;
        return failed(code, reason, { retryable: outcome === "unknown", ways, ...(publish && { publish }) });
      }
      await context.rememberDid(did);
      return { evidence: control.evidence };
    },
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
      `${controller} is attested, but a controller of this DID objects to it. Its control takes effect once no objection is in ` +
      "force (see the resolver's getObjections).";
    return failed("controller-objected", detail, found);
  }
  if (settlesAt === undefined) {
    const detail =
      `Another account was attested for this DID before, and the attestation of ${controller} expires before its waiting period ends. ` +
      "Its control takes effect only if a current controller vouches for it (the resolver's vouchController).";
    return failed("attestation-never-settles", detail, found);
  }
  const when = new Date(settlesAt * 1_000).toISOString();
  const detail =
    `Another account was attested for this DID before. Control by ${controller} takes effect on ${when}, ` +
    "or immediately when a current controller vouches for it (the resolver's vouchController).";
  return { status: "waiting", countsFrom: settlesAt, detail, ...found };
}
