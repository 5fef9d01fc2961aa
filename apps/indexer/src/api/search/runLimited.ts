import { availableParallelism } from "node:os";
import pLimit from "p-limit";

/** Tasks that are done at once: as many as keep the machine busy while some wait for the database. */
export const MAX_CONCURRENCY = 2 * availableParallelism();

const limit = pLimit(MAX_CONCURRENCY);

/**
 * Does tasks in the order in which they came, a few at once. A database that works at all of a rush together finishes
 * each of them late: in turn, the last one waits little longer than the average.
 *
 * @returns undefined for a task that nobody waits for when its turn comes: an overload would go on by itself if the
 *   machine spent its time on these
 */
export const runLimited = <Value>(
  task: () => Promise<Value>,
  isAwaited: () => boolean,
): Promise<Value | undefined> => limit(async () => (isAwaited() ? task() : undefined));
