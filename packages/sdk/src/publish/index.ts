export { describeTransaction, type TransactionDescription } from "./describeTransaction.ts";
export { ControlNotAttestedError } from "./ensureControl.ts";
export { type PlanPublicationParameters, type PublicationPlan, planPublication } from "./planPublication.ts";
export { controlStatement, messageSigner, type SignMessage } from "./proveWallet.ts";
export { NotPublishableError, PublicationConflictError } from "./publicationErrors.ts";
export { type PublishAppParameters, type PublishAppResult, publishApp } from "./publishApp.ts";
export { type RegisteredDid, type RegisteredRecord, readRegistered } from "./readRegistered.ts";
export {
  type AttestationAnswer,
  type RequestAttestationParameters,
  requestAttestation,
} from "./requestAttestation.ts";
export { interfacesConflict, nextVersions, versionConflict } from "./versionRules.ts";
