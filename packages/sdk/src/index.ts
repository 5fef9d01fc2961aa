export * from "./abi/index.ts";
export * from "./allowlist/allowlist.ts";
export * from "./allowlist/allowlistSchema.ts";
export { type AllowlistClient, allowlistClients } from "./allowlist/clients.ts";
export * from "./attest/index.ts";
export * from "./caip.ts";
export * from "./client/index.ts";
export { getReusableDataUrl, resolveDataUrl } from "./dataUrl.ts";
export {
  AbiMismatchError,
  type Deployment,
  deploymentSchema,
  InvalidDeploymentError,
  parseDeployment,
} from "./deployment.ts";
export {
  type CanonicalDid,
  type Did,
  type DidPkh,
  type DidWeb,
  didDocumentUrl,
  didHash,
  type InvalidDidCode,
  InvalidDidError,
  isCanonicalDid,
  MAX_CHAIN_ID,
  MAX_DID_LENGTH,
  normalizeDid,
  parseDid,
} from "./did.ts";
export * from "./errors/index.ts";
export * from "./hash.ts";
export * from "./json.ts";
export * from "./jsonValue.ts";
export { LOCAL_CHAIN_ID } from "./local.ts";
export * from "./lookup/index.ts";
export * from "./metadata/index.ts";
export {
  formatProvenLine,
  type GetSite,
  getProvenSubject,
  getRelation,
  type ProvenLine,
  type ProvenSubject,
  provenSubjectSchema,
  type Relation,
} from "./origin.ts";
export * from "./paths.ts";
export * from "./publish/index.ts";
export * from "./recordEnums.ts";
export * from "./search/index.ts";
export * from "./service/index.ts";
export { parseServerName, toServerName } from "./toServerName.ts";
export * from "./traits.ts";
export * from "./verify/index.ts";
export * from "./version.ts";
export * from "./versionedDid.ts";
export { isVisible, visibleLines, visibleText } from "./visibleText.ts";
