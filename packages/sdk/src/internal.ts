/** What the other packages of App Registry share with this one. Not a public interface: it may change at any time. */

export { renewableFrom } from "./client/attestation.ts";
export { type BlockRange, readInRanges } from "./client/blockRanges.ts";
export { registryContract, resolverContract } from "./client/context.ts";
export { orUndefinedIfNotRegistered } from "./client/isNotRegistered.ts";
export { latestBlock } from "./client/latestBlock.ts";
export { issuerStatuses } from "./client/reads/getIssuers.ts";
export { withTimeLimit } from "./client/timeLimit.ts";
export { abiHash } from "./deployment.ts";
export { hashOfDid } from "./did.ts";
export { withoutKeysOf, wordsOf } from "./errors/rpcWords.ts";
export { toRpcError } from "./errors/toRpcError.ts";
export { isTransientStatus } from "./errors/transientStatus.ts";
export { isLocalhostName, LOCAL_MNEMONIC } from "./local.ts";
export { OWN_SUCCESSOR, SUCCESSOR_RULE } from "./metadata/checkPublishable.ts";
export { byKey, type ListedKind, offerLists } from "./metadata/compareOffers.ts";
export { storageProblems } from "./metadata/storageProblems.ts";
export { locationOf } from "./origin.ts";
export { addressSchema, hashSchema } from "./schemas.ts";
export { fold, joined, tokens } from "./search/words.ts";
export { requestJson } from "./service/requestJson.ts";
export { liveOutcomeOf } from "./verify/live.ts";
export { hostDids, isJudged, originFact } from "./verify/originFact.ts";
export { readTarget, type Target } from "./verify/target.ts";
