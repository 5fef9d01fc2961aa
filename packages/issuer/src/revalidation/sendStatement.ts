import { AppRegistryError } from "@app-registry/sdk";
import type { Address, Hash } from "viem";
import type { IssuerContext } from "../attest/issuerContext.ts";
import type { Sender } from "../sending/sender.ts";
import { IssuerSpendingCapError, IssuerStoreError } from "../sending/sendingErrors.ts";
import type { CheckableAttestation } from "./trackedAttestation.ts";

/** Result of a renewal or revocation. `wait` is the time until the next attempt, in milliseconds. */
export type StatementResult =
  | { status: "mined"; hash: Hash; blockNumber: bigint }
  | { status: "pending"; wait: number }
  | { status: "not-sent"; reason: string; wait: number };

const MINUTE = 60_000;

/**
 * Sends the renewal or revocation of an attestation with the issuer's sender, in order, monitored and within the
 * spending cap. Waits for an open transaction instead of sending it twice.
 */
export async function sendStatement(
  { client }: Pick<IssuerContext, "client">,
  sender: Sender,
  parameters: { statement: "renewal" | "revocation"; attestation: CheckableAttestation; readAt: bigint },
): Promise<StatementResult> {
  const { statement, attestation, readAt } = parameters;
  const { did, subject } = attestation;
  const call = callFor(client, statement, attestation);
  // Use the key of an attestation for a renewal, so that a concurrent request does not send the same transaction.
  const key = statement === "renewal" ? `${did} ${subject}` : `revoke ${did} ${subject}`;
  try {
    const sent = await sender.send({ key, call, readAt, spender: { purpose: statement } });
    if (sent.status === "mined") return sent;
    if (sent.status === "pending") return { status: "pending", wait: 10 * MINUTE };
    return { status: "not-sent", reason: sent.reason, wait: 60 * MINUTE };
  } catch (error) {
    if (!(error instanceof AppRegistryError) || error instanceof IssuerStoreError) throw error;
    const wait = error instanceof IssuerSpendingCapError ? error.retryAfter * 1_000 : 15 * MINUTE;
    return { status: "not-sent", reason: error.shortMessage, wait };
  }
}

function callFor(
  client: IssuerContext["client"],
  statement: "renewal" | "revocation",
  { schema, did, subject }: CheckableAttestation,
) {
  if (schema === "data-hash") {
    const named = { did, dataHash: subject };
    return statement === "renewal"
      ? client.prepareAttestDataHash(named)
      : client.prepareRevokeDataHash(named);
  }
  const named = { did, controller: subject as Address };
  return statement === "renewal" ? client.prepareAttestDid(named) : client.prepareRevokeDid(named);
}
