export {
  countByStatus,
  getApp,
  getAppByTokenId,
  getAppSummary,
  getMetadata,
  hasAllTraits,
  hasAnyTraits,
  hasMinterLost,
  latestMajor,
  listByInterface,
  listByOwner,
  listByStatus,
  listVersions,
  tokenIdOf,
  totalSupply,
  versionOrder,
} from "./app.ts";
export { checkDataHashAttestation, getDataHashAttestations, getDidAttestations } from "./attestation.ts";
export {
  checkDid,
  claimedAt,
  getBlock,
  getBlocks,
  getChallenge,
  getController,
  ownershipScore,
  resistsReclaim,
} from "./controller.ts";
export { listEvents } from "./events.ts";
export { getIssuer, getIssuers, getResolverPolicy } from "./issuer.ts";
export { getReclaim } from "./reclaim.ts";
export { getMetadataAt, getVersionRecord, listVersionRecords } from "./version.ts";
