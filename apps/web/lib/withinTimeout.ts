import { withTimeout } from "@app-registry/server/async";

/**
 * Waits for a promise for at most `milliseconds`. Returns `undefined` if it takes longer or fails. Content that is
 * ready in time is part of the page itself, readable without scripts. Late content is streamed into its place, and the
 * streaming part handles its failure.
 */
export const withinTimeout = <Answer>(answer: Promise<Answer>, milliseconds: number) =>
  withTimeout(
    answer.catch(() => undefined),
    milliseconds,
    () => undefined,
  );
