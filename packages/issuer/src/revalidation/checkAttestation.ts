import { HostBusyError } from "@app-registry/outbound";
import { AppRegistryError, type Attestation, type Did, parseDid } from "@app-registry/sdk";
import { getDidContract } from "@app-registry/sdk/internal";
import { isAddressEqual } from "viem";
import { findDataHashRefusal, findRecordByDataHash } from "../attest/attestDataHash.ts";
import type { IssuerContext } from "../attest/issuerContext.ts";
import { statementKinds } from "../attest/statementKinds.ts";
import { checkDidControl } from "../proof/checkDidControl.ts";
import { wrapRpcErrors } from "../proof/contractReads.ts";
import type { DidControlFailureCode } from "../proof/didControl.ts";
import { IssuerStoreError } from "../sending/sendingErrors.ts";
import type { CheckableAttestation } from "./revalidationStore.ts";

/**
 * Result of checking an attestation. `no-answer`: the check could not be completed, so nothing is done. `lapses`: the
 * attestation is not refuted, but would not be renewed, so it will expire.
 */
export type Verdict =
  | { outcome: "holds" }
  | { outcome: "fails" | "no-answer" | "lapses"; code: string; reason: string };

/**
 * Failure codes that come from the host or the contract itself. A host that is unreachable, returns a page instead of a
 * document or blocks this server does not refute an attestation.
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

const checks = { "did-ownership": checkOwnership, "data-hash": checkDataHash };

/**
 * Checks the statement of an attestation, as it was checked before it was attested.
 * @throws {HostBusyError} if its host must not be requested now.
 */
export async function checkAttestation(
  context: IssuerContext,
  attestation: CheckableAttestation,
  blockNumber: bigint,
): Promise<Verdict> {
  try {
    return await checks[attestation.schema](context, attestation, blockNumber);
  } catch (error) {
    if (error instanceof IssuerStoreError || error instanceof HostBusyError) throw error;
    // Don't treat an unreachable chain or any other temporary error as a failed check: the publisher didn't cause it.
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

/**
 * Returns true if the node of a did:pkh's chain is still syncing, so that it may return an old state or no contract.
 */
async function isBehind({ chainClient }: IssuerContext, did: Did, heldAt: number): Promise<boolean> {
  const contract = getDidContract(did);
  const client = contract && chainClient(contract.chainId);
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

/** Reads the issuer's own attestation if it is live or its renewal is overdue. A renewal then continues its run. */
export async function readOwnAttestation(
  { client, issuer }: Pick<IssuerContext, "client" | "issuer">,
  { schema, did, subject }: CheckableAttestation,
  blockNumber: bigint,
): Promise<Attestation | undefined> {
  const attestations = await statementKinds[schema].read(client, { did, subject, blockNumber });
  return attestations.find(
    ({ live, overdue, issuer: by }) => (live || overdue) && isAddressEqual(by, issuer),
  );
}
