/** Exports for the other packages of App Registry. Not a public interface: they may change at any time. */

export { getRenewalTime } from "./client/attestation.ts";
export { registryContract, resolverContract } from "./client/context.ts";
export { estimateStorageCost } from "./client/estimateStorageCost.ts";
export { type BlockRange, getLatestBlockNumber, readInRanges } from "./client/events.ts";
export { issuerStatuses } from "./client/issuer.ts";
export { undefinedIfNotRegistered } from "./client/notRegistered.ts";
export { computeAbiHash } from "./deployment.ts";
export { hashCanonicalDid } from "./did.ts";
export { type DidContract, getDidContract, getDidHost } from "./didMethods.ts";
export { withTimeLimit } from "./errors/networkErrors.ts";
export { collectMessages, createKeyRedactor } from "./errors/redactRpcMessage.ts";
export { toRpcError } from "./errors/toRpcError.ts";
export { isTransientStatus } from "./errors/transientStatus.ts";
export { describeIssue } from "./issueTexts.ts";
export { isLocalhostName, LOCAL_MNEMONIC } from "./local.ts";
export { claimReasons } from "./lookup/lookup.ts";
export { listSubjectAddresses } from "./lookup/parseSubject.ts";
export { SELF_SUCCESSOR_MESSAGE, SUCCESSOR_MESSAGE } from "./metadata/checkPublishable.ts";
export { capabilityLists, indexByKey, type ListedKind } from "./metadata/compareCapabilities.ts";
export { parseCredential } from "./metadata/credential.ts";
export { fieldDescriptions } from "./metadata/describedFields.ts";
export { diffJson } from "./metadata/diffJson.ts";
export {
  authenticationSchema,
  endpointEntrySchema,
  singleEndpointSchema,
  transportSchema,
} from "./metadata/endpointSchema.ts";
export { type FieldDescription, getUsualSchema, isUrlSchema } from "./metadata/fieldDescription.ts";
export type { UncheckedSchema } from "./metadata/fieldSchemas.ts";
export { inferInterfaces } from "./metadata/interfaceProblems.ts";
export { priceSchema } from "./metadata/metadataSchema.ts";
export { findAddressProblem } from "./metadata/serviceAddress.ts";
export { storageProblems } from "./metadata/storageProblems.ts";
export { visitFields } from "./metadata/visitFields.ts";
export { parseLocation } from "./origin.ts";
export { isPrivateKey, withoutKey } from "./privateKey.ts";
export { addressSchema, hashSchema } from "./schemas.ts";
export { parseParams, readParams, toSearchParams } from "./search/parseSearchQuery.ts";
export { foldWord, joinAdjacentWords, tokenize } from "./search/words.ts";
export { requestJson } from "./service/requestJson.ts";
export { parseHashedServerName } from "./toServerName.ts";
export {
  chainFactNames,
  type FactName,
  type FactOutcomes,
  type FactReasons,
  factNames,
  factTexts,
  formatFactMarks,
  getReportOutcomes,
  getResultOutcomes,
  liveFailures,
  summarizeFacts,
  summarizeReport,
} from "./verify/factSummary.ts";
export { requestDocument } from "./verify/fetchDocument.ts";
export { toLiveOutcome } from "./verify/live.ts";
export { toolComparisonSchema } from "./verify/liveRecord.ts";
export { hostDids, isCheckedUse, isInside, MAX_OTHER_HOSTS, originFact } from "./verify/originFact.ts";
export { readTarget, type Target } from "./verify/target.ts";
export { escapeInvisible, limitMarks } from "./visibleText.ts";
