/** Internal exports for the other packages of App Registry. They are not public and may change at any time. */
export { ADDRESS_LOOK } from "./discover/labels.ts";
export { parseDiscoveryTarget } from "./discover/target.ts";
export { mediaTypeIn } from "./fetch/getHost.ts";
export { findGuardedFetchError } from "./fetch/guardedFetchError.ts";
export { createKeyedLock } from "./fetch/keyedLock.ts";
export { createOriginFetch, type OriginFetch } from "./fetch/originFetch.ts";
export { createPoliteFetch, type PoliteFetch, PostponedError } from "./fetch/politeFetch.ts";
export { printable } from "./fetch/printable.ts";
export { isLoopbackHost } from "./fetch/publicAddress.ts";
export { connectMcp, listHttpStatus, McpHandshakeError } from "./import/mcpClient.ts";
export { isDeeperThan, type McpLists, mcpLists, readMcpLists } from "./import/mcpLists.ts";
export { compareTerms } from "./probe/comparePayments.ts";
export { type BudgetLimit, getProbeBudget, scheduleNextProbe } from "./probe/prober.ts";
export { createRobotsCache, withRobotsTxt } from "./probe/robots.ts";
export {
  createJobQueueTablesSql,
  createSqlJobQueue,
  type Job,
  type JobKey,
  type JobQueue,
  type NewJob,
} from "./queue/jobQueue.ts";
export {
  createQueueWorker,
  type JobOutcome,
  type RetryPolicy,
  retryDelay,
  withJitter,
} from "./queue/queueWorker.ts";
