import { ApiProblem } from "./problem.ts";

type TurnLimits = {
  /** Number of tasks that run at once. */
  slots: number;
  /** Number of tasks of one client that run at once. */
  slotsPerClient: number;
  /** Number of tasks of one client that may wait. */
  waitingPerClient: number;
  /** Number of tasks of all clients that may wait. */
  waiting: number;
  /** Error for a task that is rejected because too many wait. */
  busy: Error;
};

type Client = { running: number; waiting: (() => void)[] };

/** Runs a task of a client when it is the client's turn. See `createTurns`. */
export type Turns = <Result>(
  client: string,
  work: () => Promise<Result>,
  signal?: AbortSignal,
) => Promise<Result>;

/**
 * Creates a function that runs tasks with the clients taking turns, so that one client's queue does not delay
 * another's. A waiting task leaves the queue when its signal aborts.
 *
 * @returns A function that rejects with `busy` if a queue is full, with the reason of an aborted
 *   signal, or with the error of the task.
 */
export function createTurns({ slots, slotsPerClient, waitingPerClient, waiting, busy }: TurnLimits): Turns {
  /** Clients in the order of their next turns. */
  const clients = new Map<string, Client>();
  let free = slots;
  let waits = 0;

  const startNext = () => {
    for (const [name, client] of clients) {
      if (free === 0) return;
      if (client.running >= slotsPerClient) continue;
      const start = client.waiting.shift();
      if (start === undefined) continue;
      clients.delete(name);
      clients.set(name, client);
      waits -= 1;
      free -= 1;
      client.running += 1;
      start();
    }
  };

  const forgetIdle = (name: string, client: Client) => {
    if (client.running === 0 && client.waiting.length === 0) clients.delete(name);
  };

  return async (name, work, signal) => {
    signal?.throwIfAborted();
    const client = clients.get(name) ?? { running: 0, waiting: [] };
    const mustWait = free === 0 || client.running >= slotsPerClient;
    if (mustWait && (client.waiting.length >= waitingPerClient || waits >= waiting)) throw busy;
    clients.set(name, client);
    waits += 1;
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        client.waiting.splice(client.waiting.indexOf(start), 1);
        waits -= 1;
        forgetIdle(name, client);
        reject(signal?.reason);
      };
      const start = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      signal?.addEventListener("abort", leave, { once: true });
      client.waiting.push(start);
      startNext();
    });
    try {
      return await work();
    } finally {
      free += 1;
      client.running -= 1;
      forgetIdle(name, client);
      startNext();
    }
  };
}

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
