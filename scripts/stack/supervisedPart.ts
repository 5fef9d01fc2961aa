import type { Server } from "./chain.ts";

/** A part of a stack that is started again whenever it ends, as a service manager does. */
export interface SupervisedPart {
  readonly name: string;
  readonly url: string;
  /** The process that runs now, or ran last. */
  current(): Server;
  /** How often it was started. */
  starts(): number;
  /** Ends it without warning (SIGKILL) and settles when the next process is ready. */
  kill(): Promise<void>;
  /** Lets it end in order, by `end` or its signal, and settles when the next process is ready. */
  restart(end?: (server: Server) => Promise<void>): Promise<void>;
  /** Stops it for good. */
  stop(): Promise<void>;
}

/** Milliseconds before a process that ended by itself is started again. */
const PAUSE = 500;

/** Starts a part by `start`, which is given the number of the start and settles when the process is ready. */
export async function supervise(
  name: string,
  start: (number: number) => Promise<Server>,
): Promise<SupervisedPart> {
  let starts = 0;
  let stopped = false;
  let current: Server;
  let next = begin();
  const { url } = await next;

  async function begin(): Promise<Server> {
    for (;;) {
      starts += 1;
      try {
        const server = await start(starts);
        current = server;
        void server.service.ended.then(() => {
          if (!stopped) next = pause().then(begin);
        });
        return server;
      } catch (error) {
        // A process may need others that are away: a service manager tries again.
        if (stopped || starts === 1) throw error;
        await pause();
      }
    }
  }

  const replaced = async (end: (server: Server) => Promise<void>) => {
    const before = starts;
    await end(current);
    while (starts === before && !stopped) await pause();
    await next;
  };
  return {
    name,
    url,
    current: () => current,
    starts: () => starts,
    kill: () => replaced(({ service }) => service.kill()),
    restart: (end = ({ service }) => service.stop()) => replaced(end),
    async stop() {
      stopped = true;
      await current.service.stop();
    },
  };
}

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE));
