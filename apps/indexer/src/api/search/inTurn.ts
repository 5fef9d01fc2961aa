import { availableParallelism } from "node:os";
import pLimit from "p-limit";

/**
 * Answers searches in the order in which they came, so many at once as keep the machine busy. A database that works at
 * all of a rush together finishes each of them late: in turn, the last one waits little longer than the average.
 */
export const inTurn = pLimit(2 * availableParallelism());
