/** More work waits than may. */
export class TooManyWaitingError extends Error {
  override readonly name = "TooManyWaitingError";
}

type TurnLimits = {
  /** Works that run at once. */
  slots: number;
  /** Works of one client that run at once. */
  slotsPerClient: number;
  /** Works of one client that wait. */
  waitingPerClient: number;
  /** Works of all clients that wait. */
  waiting: number;
};

type Client = { running: number; waiting: (() => void)[] };

/**
 * Creates a function that runs work when it is its client's turn. Clients take turns, so the queue of one doesn't hold
 * up another. Work that waits leaves the queue when its signal aborts.
 *
 * @returns rejects with {@link TooManyWaitingError} if the work may not wait, with the reason of an aborted signal, else as
 * the work settles.
 */
export function createTurns({ slots, slotsPerClient, waitingPerClient, waiting }: TurnLimits) {
  /** In the order of their next turns. */
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

  return async <Result>(name: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> => {
    signal?.throwIfAborted();
    const client = clients.get(name) ?? { running: 0, waiting: [] };
    const mustWait = free === 0 || client.running >= slotsPerClient;
    if (mustWait && (client.waiting.length >= waitingPerClient || waits >= waiting)) {
      throw new TooManyWaitingError();
    }
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
