/** Exports for the other packages of App Registry. Not a public interface: they may change at any time. */

export { getRenewalTime } from "./client/attestation.ts";
export { registryContract, resolverContract } from "./client/context.ts";
export { type BlockRange, getLatestBlockNumber, readInRanges } from "./client/events.ts";
export { issuerStatuses } from "./client/issuer.ts";
export { undefinedIfNotRegistered } from "./client/notRegistered.ts";
export { computeAbiHash } from "./deployment.ts";
export { hashCanonicalDid } from "./did.ts";
export { type DidContract, getDidContract, getDidHost, getDidLocation } from "./didMethods.ts";
export { isPrivateKey, withoutKey } from "./errors/appRegistryError.ts";
export {
  collectMessages,
  createKeyRedactor,
  isTransientStatus,
  withTimeLimit,
} from "./errors/networkErrors.ts";
export { toRpcError } from "./errors/toAppRegistryError.ts";
export { isoTime } from "./isoTime.ts";
export { isLocalhostName, LOCAL_MNEMONIC } from "./local.ts";
export { claimReasons, listSubjectAddresses } from "./lookup.ts";
export { visitFields } from "./metadata/checkFieldNames.ts";
export {
  inferInterfaces,
  SELF_SUCCESSOR_MESSAGE,
  SUCCESSOR_MESSAGE,
  storageProblems,
} from "./metadata/checkPublishable.ts";
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
export {
  type FieldDescription,
  getUsualSchema,
  isUrlSchema,
  type UncheckedSchema,
} from "./metadata/fieldDescription.ts";
export { priceSchema } from "./metadata/metadataSchema.ts";
export { findAddressProblem } from "./metadata/serviceAddress.ts";
export { parseLocation } from "./origin.ts";
export { estimateStorageCost } from "./publish/describeTransaction.ts";
export { requestJson } from "./requestJson.ts";
export { addressSchema, describeIssue, hashSchema } from "./schemas.ts";
export { parseParams, readParams, toSearchParams } from "./search/searchQuery.ts";
export { foldWord, joinAdjacentWords, tokenize } from "./search/words.ts";
export { parseHashedServerName } from "./toServerName.ts";
export { readTarget, requestDocument, type Target } from "./verify/documents.ts";
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
export { toLiveOutcome, toolComparisonSchema } from "./verify/live.ts";
export { hostDids, isCheckedUse, isInside, MAX_OTHER_HOSTS, originFact } from "./verify/originFact.ts";
export { escapeInvisible, limitMarks } from "./visibleText.ts";
