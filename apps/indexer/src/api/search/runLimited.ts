import { availableParallelism } from "node:os";
import pLimit from "p-limit";

/** Most simultaneous tasks: enough to keep the CPU busy while some wait for the database. */
export const MAX_CONCURRENCY = 2 * availableParallelism();

const limit = pLimit(MAX_CONCURRENCY);

/**
 * Runs tasks in the order of their calls, a few at once. If the database ran all tasks of a burst together, all of them
 * would finish late.
 *
 * @returns `undefined` for a task that is no longer awaited when its turn comes. Running such tasks would prolong an
 *   overload
 */
export const runLimited = <Value>(
  task: () => Promise<Value>,
  isAwaited: () => boolean,
): Promise<Value | undefined> => limit(async () => (isAwaited() ? task() : undefined));
