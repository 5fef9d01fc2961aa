export { type CheckRequest, NotAnIssuerError, type SendCheck } from "./attest/issuerContext.ts";
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
export { type ReadableChains, readContractFindings } from "./proof/contractControl.ts";
export {
  type VerifyWalletSignatureParameters,
  verifyWalletSignature,
} from "./proof/contractReads.ts";
export type {
  CheckDidControlParameters,
  DidControl,
  DidControlAttempt,
  DidControlEvidence,
  DidControlFailure,
  DidControlFailureCode,
  DidDocumentToPublish,
} from "./proof/didControl.ts";
export type { Revalidation, RevalidationOptions } from "./revalidation/revalidation.ts";
export type {
  AttestationKey,
  RevalidationCounts,
  RevalidationEvent,
  TrackedAttestation,
} from "./revalidation/revalidationStore.ts";
export { AccountError, KEY_VARIABLES, readAccount } from "./sending/account.ts";
export type { IssuerEvent } from "./sending/broadcast.ts";
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
export type { IssuerFunds } from "./sending/submitTransaction.ts";
export type { SqlPool } from "./sending/transactionStore.ts";
