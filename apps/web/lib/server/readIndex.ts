import { setTimeout as sleep } from "node:timers/promises";
import { IndexUnavailableError } from "@app-registry/index/openIndex";
import type { Session } from "@app-registry/index/session";
import type { Connections } from "@app-registry/server/connections";
import { ApiProblem } from "./http/problem.ts";

/** Longest wait for a block, in milliseconds. A standby usually is behind by less. */
const MAX_WAIT_MS = 3_000;
const PAUSE_MS = 100;
/** Most reads that wait for a block at once, so that they leave turns to searches. Others get the older answer. */
const MAX_WAITING = 8;
let waiting = 0;
/** Result of a read of an index that is behind. */
const BEHIND = Symbol();

type ReadOptions = {
  /** Aborts the read. */
  signal?: AbortSignal | undefined;
  /** Block to wait for, a few seconds at most. */
  minBlock?: number | undefined;
};

/**
 * Reads an answer from the complete index, at one block.
 *
 * @returns `undefined` while the index is being built, or its database doesn't answer.
 */
export async function readIndex<Answer>(
  { index }: Pick<Connections, "index">,
  answer: (session: Session, block: number) => Promise<Answer>,
  { signal, minBlock = 0 }: ReadOptions = {},
): Promise<Answer | undefined> {
  const end = performance.now() + MAX_WAIT_MS;
  let isWaiting = false;
  const isBehind = (block: number) => {
    if (block >= minBlock || performance.now() >= end) return false;
    if (!isWaiting && waiting < MAX_WAITING) {
      isWaiting = true;
      waiting += 1;
    }
    return isWaiting;
  };
  try {
    for (;;) {
      const read = await index.read(async (session, state) => {
        if (!state.isReady) return undefined;
        return isBehind(state.block) ? BEHIND : answer(session, state.block);
      }, signal);
      if (read !== BEHIND) return read;
      await sleep(PAUSE_MS);
    }
  } catch (error) {
    if (error instanceof IndexUnavailableError) return undefined;
    throw error;
  } finally {
    if (isWaiting) waiting -= 1;
  }
}

/**
 * Reads an answer that only the index has, and that is not `undefined`.
 *
 * @param what Data that the answer contains, for the problem: "These rows"
 * @throws ApiProblem 503 `index-unavailable`
 */
export async function requireIndex<Answer>(
  registry: Pick<Connections, "index">,
  what: string,
  answer: (session: Session, block: number) => Promise<Answer>,
  options?: ReadOptions,
): Promise<Answer> {
  const read = await readIndex(registry, answer, options);
  if (read !== undefined) return read;
  throw createIndexProblem(what);
}

/** Creates the problem for data that only the index has. `what` as for `requireIndex`. */
export function createIndexProblem(what: string): ApiProblem {
  const detail = `${what} from the search index, which is unavailable or being built.`;
  return new ApiProblem(503, "index-unavailable", "Search index unavailable", { detail, retryable: true });
}
