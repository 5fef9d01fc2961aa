import { prepareSignedAttestation } from "../attest/index.ts";
import type { AppRegistryClient, PreparedCall } from "../client/index.ts";
import {
  type AttestationAnswer,
  type RequestAttestationParameters,
  requestAttestation,
} from "./requestAttestation.ts";

export type ObtainAttestationParameters = RequestAttestationParameters & {
  client: AppRegistryClient;
  /** Sends a call as the publisher and waits until it is mined: for an issuer that only signs. */
  carry: (call: PreparedCall) => Promise<unknown>;
};

/**
 * Asks an issuer to attest, and brings to the resolver what it only signed. The answer is the issuer's last one, which
 * says whether the attestation counts.
 *
 * @throws What `requestAttestation` and `carry` throw.
 */
export async function obtainAttestation({
  client,
  carry,
  ...request
}: ObtainAttestationParameters): Promise<AttestationAnswer> {
  let answer = await requestAttestation(request);
  // An issuer signs one schema after the other.
  for (let left = request.requiredSchemas.length; answer.status === "signed" && left > 0; left -= 1) {
    for (const signed of answer.signatures) await carry(prepareSignedAttestation(client, signed));
    answer = await requestAttestation(request);
  }
  return answer;
}
