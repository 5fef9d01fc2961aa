import { HostBusyError } from "@app-registry/outbound";
import type { Attestation } from "@app-registry/sdk";
import { AppRegistryError, type Did, parseDid } from "@app-registry/sdk";
import { type Address, isAddressEqual } from "viem";
import { findDataHashRefusal, findRecordByDataHash } from "../attestDataHash.ts";
import { checkDidControl } from "../checkDidControl.ts";
import { wrapRpcErrors } from "../contractReads.ts";
import type { DidControlFailureCode } from "../didControl.ts";
import type { IssuerContext } from "../issuerContext.ts";
import { IssuerStoreError } from "../sending/sendingErrors.ts";
import type { CheckableAttestation } from "./trackedAttestation.ts";

/**
 * What a check says of an attestation. `no-answer`: nothing is known, and nothing is done. `lapses`: nothing speaks
 * against it, but it would not be attested again; it is left to its expiry.
 */
export type Verdict =
  | { outcome: "holds" }
  | { outcome: "fails" | "no-answer" | "lapses"; code: string; reason: string };

/**
 * Failures that are an answer of the host or the contract itself. A host that can't be reached, shows a page instead of
 * a document or keeps this server out contradicts nothing.
 */
const contradictions: ReadonlySet<DidControlFailureCode> = new Set([
  "did-document-missing",
  "did-document-invalid",
  "did-document-id-mismatch",
  "did-document-deactivated",
  "wallet-not-in-did-document",
  "contract-account-elsewhere",
  "contract-owner-unknown",
  "contract-owner-mismatch",
]);

/**
 * Checks what an attestation states, as it was checked before it was written.
 * @throws HostBusyError when its host is not to be asked now.
 */
export async function checkAttestation(
  context: IssuerContext,
  attestation: CheckableAttestation,
  blockNumber: bigint,
): Promise<Verdict> {
  try {
    return attestation.schema === "did-ownership"
      ? await checkOwnership(context, attestation)
      : await checkDataHash(context, attestation, blockNumber);
  } catch (error) {
    if (error instanceof IssuerStoreError || error instanceof HostBusyError) throw error;
    // A chain that does not answer, and whatever else keeps the check from its end, is no failure of the publisher's.
    if (!(error instanceof AppRegistryError)) throw error;
    return { outcome: "no-answer", code: "chain-unreachable", reason: error.shortMessage };
  }
}

async function checkOwnership(
  context: IssuerContext,
  { subject: controller, heldAt, ...attestation }: CheckableAttestation,
): Promise<Verdict> {
  const did = parseDid(attestation.did);
  const control = await checkDidControl({
    ...context,
    chainId: context.deployment.chainId,
    did,
    controller,
    now: context.now(),
  });
  if (control.outcome === "pass") return { outcome: "holds" };
  const { code, reason } = control;
  const answered = control.outcome === "fail" && contradictions.has(code);
  if (answered && (await isBehind(context, did, heldAt))) {
    const behind =
      "The RPC endpoint of the DID's chain is out of date: its latest block is older than our last successful check.";
    return { outcome: "no-answer", code: "chain-behind", reason: behind };
  }
  return { outcome: answered ? "fails" : "no-answer", code, reason };
}

/** A node that is started anew and still reads the chain knows the contract's past only, or no contract at all. */
async function isBehind({ chainClient }: IssuerContext, did: Did, heldAt: number): Promise<boolean> {
  const client = did.method === "pkh" ? chainClient(did.chainId) : undefined;
  if (!client) return false;
  const { timestamp } = await wrapRpcErrors(client.getBlock());
  return Number(timestamp) * 1_000 < heldAt;
}

async function checkDataHash(
  context: IssuerContext,
  { did, subject: dataHash }: CheckableAttestation,
  blockNumber: bigint,
): Promise<Verdict> {
  const record = await findRecordByDataHash(context, did, dataHash, blockNumber);
  if (!record) {
    const reason = `No record of ${did} has this dataHash any more.`;
    return { outcome: "lapses", code: "hash-not-recorded", reason };
  }
  const refusal = await findDataHashRefusal(context, did, record, blockNumber);
  if (!refusal) return { outcome: "holds" };
  const { code, detail: reason } = refusal;
  if (code === "record-not-controlled") return { outcome: "lapses", code, reason };
  const answered = code === "hash-mismatch" || code === "document-invalid";
  return { outcome: answered ? "fails" : "no-answer", code, reason };
}

/** Reads the issuer's own attestation while a renewal keeps its run: live, or overdue. */
export async function readOwnAttestation(
  { client, issuer }: Pick<IssuerContext, "client" | "issuer">,
  { schema, did, subject }: CheckableAttestation,
  blockNumber: bigint,
): Promise<Attestation | undefined> {
  const attestations =
    schema === "did-ownership"
      ? await client.getDidAttestations({ did, controller: subject as Address, blockNumber })
      : await client.getDataHashAttestations({ did, dataHash: subject, blockNumber });
  return attestations.find(
    ({ live, overdue, issuer: by }) => (live || overdue) && isAddressEqual(by, issuer),
  );
}
