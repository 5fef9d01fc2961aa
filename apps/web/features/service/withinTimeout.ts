import { withTimeout } from "@app-registry/server/deadline";

/**
 * Waits for an answer that usually comes at once, but not longer than `milliseconds`; undefined when it takes longer
 * or fails. What is rendered with the answer is part of the page itself, readable without scripts; the rest is
 * streamed in its place, and whoever streams it sees its failure.
 */
export const withinTimeout = <Answer>(answer: Promise<Answer>, milliseconds: number) =>
  withTimeout(
    answer.catch(() => undefined),
    milliseconds,
    () => undefined,
  );
