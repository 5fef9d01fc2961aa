import { ApiProblem } from "../problem.ts";
import { createTurns } from "./turns.ts";

const retry = { retryable: true, retryAfter: 5 };

/**
 * Limits the requests to the index that run at once, and those of one client. The index answers them in the order of
 * their arrival, so a client that sent all of its searches there would delay everybody's.
 */
export const searchTurns = createTurns({
  ...{ slots: 24, slotsPerClient: 12, waitingPerClient: 300, waiting: 2_000 },
  busy: new ApiProblem(503, "searches-busy", "Too many searches are waiting", retry),
});

/** Limits the requests that run at once and wait for publishers' hosts or the chain, and those of one client. */
export const checkTurns = createTurns({
  ...{ slots: 64, slotsPerClient: 8, waitingPerClient: 300, waiting: 2_000 },
  busy: new ApiProblem(503, "checks-busy", "Too many services are being checked", retry),
});
