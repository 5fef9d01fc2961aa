import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { listen } from "@app-registry/test-kit/listen";

/** Proxy between an indexer and its RPC. */
export type RpcProxy = Awaited<ReturnType<typeof startRpcProxy>>;

/** Starts a proxy that forwards every JSON-RPC request to `target`. */
export async function startRpcProxy(target: string) {
  let count = 0;
  let trigger: { at: number; act: () => unknown } | undefined;
  let held: { text: string; until: Promise<void> } | undefined;
  const server = createServer(async (request, response) => {
    count++;
    try {
      const body = await text(request);
      if (trigger && count >= trigger.at) {
        const { act } = trigger;
        trigger = undefined;
        await act();
      }
      if (held && body.includes(held.text)) await held.until;
      const headers = { "content-type": "application/json" };
      const answer = await fetch(target, { method: "POST", headers, body });
      response.writeHead(answer.status, headers).end(await answer.text());
    } catch {
      response.destroy(); // the indexer was killed, or the chain has ended
    }
  });
  const { origin, close } = await listen(server);
  return {
    url: origin,
    /** Returns the number of requests so far. */
    count: () => count,
    /** Calls `act` at the `number`th request from now. That request waits until `act` has finished. */
    at: (number: number, act: () => unknown) => {
      trigger = { at: count + number, act };
    },
    /** Holds requests whose JSON contains this text until the returned function is called. */
    hold: (text: string) => {
      const { promise: until, resolve } = Promise.withResolvers<void>();
      held = { text, until };
      return resolve;
    },
    close,
  };
}
