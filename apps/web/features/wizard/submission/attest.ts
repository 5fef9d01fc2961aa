import {
  type AttestationAnswer,
  type RequestAttestationParameters,
  requestAttestation,
} from "@app-registry/sdk";

/** Asks the issuer of the registry that served this page. */
export const attest = (
  parameters: Omit<RequestAttestationParameters, "baseUrl">,
): Promise<AttestationAnswer> => requestAttestation({ ...parameters, baseUrl: window.location.origin });

/** What a person is told while the wallet asks for the signature of such a message. */
export const signingNote = (did: string): string =>
  `Your wallet asks you to sign that this registry may attest your control of ${did}. Signing costs nothing.`;
