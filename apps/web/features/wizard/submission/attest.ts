import {
  type AttestationAnswer,
  type RequestAttestationParameters,
  requestAttestation,
} from "@app-registry/sdk";

/** Asks the issuer of the registry that served this page. */
export const attest = (
  parameters: Omit<RequestAttestationParameters, "baseUrl">,
): Promise<AttestationAnswer> => requestAttestation({ ...parameters, baseUrl: window.location.origin });
