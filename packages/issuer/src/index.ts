export type { CheckRequest, SendCheck } from "./attest/issuerContext.ts";
export { NotAnIssuerError } from "./attest/notAnIssuerError.ts";
export {
  type AttestationResult,
  type AttestationSchema,
  attestationResultSchema,
  attestationSchemas,
  type VerifyAndAttestFailure,
  type VerifyAndAttestParameters,
  type VerifyAndAttestRequest,
  type VerifyAndAttestResult,
  verifyAndAttestFailureSchema,
  verifyAndAttestRequestSchema,
  verifyAndAttestResponseSchema,
} from "./attest/verifyAndAttestSchema.ts";
export { type CreateIssuerOptions, createIssuer, type Issuer, type IssuerMode } from "./issuer.ts";
export { checkDidControl } from "./proof/checkDidControl.ts";
export type {
  CheckDidControlParameters,
  DidControl,
  DidControlAttempt,
  DidControlEvidence,
  DidControlFailure,
  DidControlFailureCode,
  DidDocumentToPublish,
} from "./proof/didControl.ts";
export { type ReadableChains, readContractFindings } from "./proof/readContractFindings.ts";
export {
  type VerifyWalletSignatureParameters,
  verifyWalletSignature,
} from "./proof/verifyWalletSignature.ts";
export type { Revalidation, RevalidationOptions } from "./revalidation/revalidation.ts";
export type { RevalidationEvent } from "./revalidation/revalidationEvent.ts";
export type { RevalidationCounts } from "./revalidation/revalidationStore.ts";
export type { AttestationKey, TrackedAttestation } from "./revalidation/trackedAttestation.ts";
export { AccountError, KEY_VARIABLES, readAccount } from "./sending/account.ts";
export type { IssuerEvent } from "./sending/issuerEvent.ts";
export type { IssuerFunds } from "./sending/issuerFunds.ts";
export {
  ClientSpendingCapError,
  IssuerFeesTooHighError,
  IssuerKeyError,
  IssuerOutOfFundsError,
  IssuerRecoveringError,
  IssuerSpendingCapError,
  IssuerStoreError,
  TransactionRefusedError,
} from "./sending/sendingErrors.ts";
export type { SqlPool } from "./sending/sqlPool.ts";
