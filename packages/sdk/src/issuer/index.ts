export {
  type CheckDidControlParameters,
  checkDidControl,
  type DidControl,
  type DidControlEvidence,
  type DidControlFailureCode,
  type DidControlWay,
  type DidDocumentToPublish,
} from "./checkDidControl.ts";
export {
  CDN_LOOP,
  type CreateGuardedFetchOptions,
  createGuardedFetch,
  type FetchDocumentOptions,
  type FetchedDocument,
  type FetchLike,
  type GuardedFetch,
} from "./guardedFetch.ts";
export { GuardedFetchError, type GuardedFetchErrorCode } from "./guardedFetchError.ts";
