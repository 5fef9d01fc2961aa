import { createDatabase } from "@app-registry/test-kit/postgres";
import type { JobQueue } from "../src/queue/jobQueue.ts";
import { createMemoryJobQueue } from "../src/queue/memoryJobQueue.ts";
import { createJobQueueTablesSql, createSqlJobQueue, type QueryRows } from "../src/queue/sqlJobQueue.ts";

/** Empty queues of one kind. Each call of `open` returns two queues of one scope, one for each process. */
export type JobQueues = { open(): [JobQueue, JobQueue]; stop(): Promise<void> };

let scopes = 0;

async function sqlQueues(
  run: (script: string) => Promise<unknown>,
  queries: [QueryRows, QueryRows],
  stop: () => Promise<void>,
): Promise<JobQueues> {
  await run(`create schema "queues"; ${createJobQueueTablesSql('"queues"')}`);
  // Run it twice: existing tables must not change.
  await run(createJobQueueTablesSql('"queues"'));
  return {
    open() {
      const scope = `scope ${scopes++}`;
      const [one, two] = queries.map((query) => createSqlJobQueue(query, '"queues"', scope));
      return [one, two] as [JobQueue, JobQueue];
    },
    stop,
  };
}

/** Implementations of the queue, by name. */
export const jobQueues: [name: string, start: () => Promise<JobQueues>][] = [
  [
    "memory",
    async () => ({
      open() {
        const queue = createMemoryJobQueue();
        return [queue, queue];
      },
      stop: async () => undefined,
    }),
  ],
  [
    "PostgreSQL",
    async () => {
      const server = await createDatabase();
      const pools = [server.connect(), server.connect()] as const;
      const [one, two] = pools.map(
        (pool): QueryRows =>
          async (text, values) =>
            (await pool.query(text, values)).rows,
      );
      return sqlQueues(
        (script) => pools[0].query(script),
        [one, two] as [QueryRows, QueryRows],
        async () => {
          await Promise.all(pools.map((pool) => pool.end()));
          await server.stop();
        },
      );
    },
  ],
];
