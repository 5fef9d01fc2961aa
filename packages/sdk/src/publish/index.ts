export { type CallCost, describeCost, estimateCall, formatFee } from "./callCost.ts";
export { describeTransaction, type TransactionDescription } from "./describeTransaction.ts";
export {
  createCallOperation,
  createControlCheck,
  createPublication,
  getStage,
  isSent,
  nextStage,
  type Operation,
  type OperationEvent,
  type OperationProblem,
  type PublicationRequest,
  parseOperation,
  type Stage,
  type StageId,
  type StageState,
  stageIds,
} from "./operation.ts";
export { type PlanPublicationParameters, type PublicationPlan, planPublication } from "./planPublication.ts";
export { type PlanReplacementParameters, planReplacement } from "./planReplacement.ts";
export { proposeVersion, type VersionProposal } from "./proposeVersion.ts";
export { controlStatement, messageSigner, type SignMessage } from "./proveWallet.ts";
export {
  AttestationRefusedError,
  ContentNotAttestedError,
  ControlNotAttestedError,
  NotPublishableError,
} from "./publicationErrors.ts";
export { type PublishAppParameters, type PublishAppResult, publishApp } from "./publishApp.ts";
export {
  type PublishAppsEvent,
  type PublishAppsOutcome,
  type PublishAppsParameters,
  publishApps,
  type ServiceToPublish,
} from "./publishApps.ts";
export { type RegisteredDid, type RegisteredRecord, readRegisteredDid } from "./readRegisteredDid.ts";
export {
  type AttestationResponse,
  type AttestationWay,
  type DocumentToPublish,
  type RequestAttestationParameters,
  requestAttestation,
} from "./requestAttestation.ts";
export { type OperationContext, preparePublication, runOperation } from "./runOperation.ts";
export {
  interfacesConflict,
  type NextVersions,
  nextVersions,
  raiseVersion,
  traitsConflict,
  versionConflict,
} from "./versionRules.ts";
