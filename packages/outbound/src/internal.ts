/** Internal exports for the other packages of App Registry. They are not public and may change at any time. */

export { parseDiscoveryTarget } from "./discover/discoverService.ts";
export { ADDRESS_LOOK } from "./discover/finding.ts";
export { findGuardedFetchError, printable } from "./fetch/guardedFetchError.ts";
export { isLoopbackHost, mediaTypeIn } from "./fetch/hosts.ts";
export { createOriginFetch, type OriginFetch } from "./fetch/originFetch.ts";
export { createKeyedLock, createPoliteFetch, type PoliteFetch, PostponedError } from "./fetch/politeFetch.ts";
export {
  connectMcp,
  isDeeperThan,
  listHttpStatus,
  McpHandshakeError,
  type McpLists,
  mcpLists,
  readMcpLists,
  STATELESS_REVISION,
} from "./import/mcpClient.ts";
export { type BudgetLimit, getProbeBudget, scheduleNextProbe } from "./probe/prober.ts";
export { compareTerms } from "./probe/probeService.ts";
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
