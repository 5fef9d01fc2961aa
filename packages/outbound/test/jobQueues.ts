import { createDatabase } from "@app-registry/test-kit/postgres";
import { createJobQueueTablesSql, createSqlJobQueue, type JobQueue } from "../src/queue/jobQueue.ts";

/** Empty queues. Each call of `open` returns two queues of one scope, one for each process. */
export type JobQueues = { open(): [JobQueue, JobQueue]; stop(): Promise<void> };

/** Creates queues in a new database. */
export async function createJobQueues(): Promise<JobQueues> {
  const database = await createDatabase();
  const pools = [database.connect(), database.connect()] as const;
  const tables = createJobQueueTablesSql('"queues"');
  // Run it twice: existing tables must not change.
  await pools[0].query(`create schema "queues"; ${tables}; ${tables}`);
  let scopes = 0;
  return {
    open() {
      const scope = `scope ${scopes++}`;
      const [one, two] = pools.map((pool) =>
        createSqlJobQueue(async (text, values) => (await pool.query(text, values)).rows, '"queues"', scope),
      );
      return [one, two] as [JobQueue, JobQueue];
    },
    async stop() {
      await Promise.all(pools.map((pool) => pool.end()));
      await database.stop();
    },
  };
}
