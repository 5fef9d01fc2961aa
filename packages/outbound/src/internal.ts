/** What the other packages of App Registry share with this one. It is no public interface, and changes at any time. */
export { guardedFetchErrorIn } from "./guardedFetchError.ts";
export { isDeeperThan } from "./import/isDeeperThan.ts";
export { connectMcp, httpStatusOf } from "./import/mcpClient.ts";
export { type McpLists, readMcpLists } from "./import/mcpLists.ts";
export { McpHandshakeError } from "./import/negotiate.ts";
export { mediaTypeIn } from "./mediaType.ts";
export { createOriginFetch, type OriginFetch } from "./originFetch.ts";
export { createPoliteFetch, type PoliteFetch, PutOffError } from "./politeFetch.ts";
export { printable } from "./printable.ts";
export { type BudgetItem, budgetOf, nextProbe } from "./probe/prober.ts";
export { createRobotsCache, obeyRobots } from "./probe/robots.ts";
export type { Job, JobCounts, JobKey, JobQueue, NewJob } from "./queue/jobQueue.ts";
export { createMemoryJobQueue } from "./queue/memoryJobQueue.ts";
export {
  createQueueWorker,
  type Outcome,
  type Retries,
  retryDelay,
  spread,
} from "./queue/queueWorker.ts";
export { createSqlJobQueue, jobQueueTables } from "./queue/sqlJobQueue.ts";
