export { transfer, updateStatus } from "./app.ts";
export {
  attestDataHash,
  attestDataHashBySignature,
  attestDid,
  attestDidBySignature,
  revokeDataHash,
  revokeDid,
} from "./attestation.ts";
export {
  blockController,
  blockControllerBatch,
  challengeDid,
  resolveChallenge,
  unblockController,
} from "./controller.ts";
export { dismissReclaims, finishReclaim, openReclaim } from "./reclaim.ts";
export { mint, republishMetadata, updateAppControlled } from "./version.ts";
