export { AccountError, KEY_VARIABLES, readAccount } from "./account.ts";
export { checkDidControl } from "./checkDidControl.ts";
export type {
  CheckDidControlParameters,
  DidControl,
  DidControlAttempt,
  DidControlEvidence,
  DidControlFailure,
  DidControlFailureCode,
  DidDocumentToPublish,
} from "./didControl.ts";
export { createIssuer, type Issuer } from "./issuer.ts";
export type { CreateIssuerOptions, IssuerMode, RevalidationOptions } from "./issuerContext.ts";
export { NotAnIssuerError } from "./notAnIssuerError.ts";
export { type ReadableChains, readContractFindings } from "./readContractFindings.ts";
export { createMemoryRevalidationStore } from "./revalidation/memoryRevalidationStore.ts";
export { createPostgresRevalidationStore } from "./revalidation/postgresRevalidationStore.ts";
export type { Revalidation } from "./revalidation/revalidation.ts";
export type { RevalidationEvent } from "./revalidation/revalidationEvent.ts";
export type {
  OpenRevalidationStore,
  RevalidationCounts,
  RevalidationStore,
} from "./revalidation/revalidationStore.ts";
export type { AttestationKey, TrackedAttestation } from "./revalidation/trackedAttestation.ts";
export type { IssuerEvent } from "./sending/issuerEvent.ts";
export type { IssuerFunds } from "./sending/issuerFunds.ts";
export { createMemoryTransactionStore } from "./sending/memoryTransactionStore.ts";
export { createPostgresTransactionStore } from "./sending/postgresTransactionStore.ts";
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
export type { OpenTransactionStore, TransactionStore } from "./sending/transactionStore.ts";
export type { SqlPool } from "./sqlPool.ts";
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
} from "./verifyAndAttestSchema.ts";
export { type VerifyWalletSignatureParameters, verifyWalletSignature } from "./verifyWalletSignature.ts";
