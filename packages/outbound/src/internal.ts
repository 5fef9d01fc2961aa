/** Internal exports for the other packages of App Registry. They are not public and may change at any time. */
export { findGuardedFetchError } from "./guardedFetchError.ts";
export { isDeeperThan } from "./import/isDeeperThan.ts";
export { connectMcp, listHttpStatus } from "./import/mcpClient.ts";
export { type McpLists, readMcpLists } from "./import/mcpLists.ts";
export { McpHandshakeError } from "./import/negotiate.ts";
export { mediaTypeIn } from "./mediaType.ts";
export { createOriginFetch, type OriginFetch } from "./originFetch.ts";
export { createPoliteFetch, type PoliteFetch, PostponedError } from "./politeFetch.ts";
export { printable } from "./printable.ts";
export { type BudgetLimit, getProbeBudget, scheduleNextProbe } from "./probe/prober.ts";
export { createRobotsCache, withRobotsTxt } from "./probe/robots.ts";
export type { Job, JobCounts, JobKey, JobQueue, NewJob } from "./queue/jobQueue.ts";
export { createMemoryJobQueue } from "./queue/memoryJobQueue.ts";
export {
  createQueueWorker,
  type JobOutcome,
  type RetryPolicy,
  retryDelay,
  withJitter,
} from "./queue/queueWorker.ts";
export { createJobQueueTablesSql, createSqlJobQueue } from "./queue/sqlJobQueue.ts";
