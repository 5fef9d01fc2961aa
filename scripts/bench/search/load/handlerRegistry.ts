/** What Ponder hands an event handler, as far as the indexer's own read it. */
export interface HandlerInput {
  event: {
    args: Record<string, unknown>;
    block: { number: bigint; timestamp: bigint };
    transaction: { hash: string };
    log: { address: string };
  };
  context: { db: unknown; client: unknown };
}

type Handler = (input: HandlerInput) => Promise<void>;

/** The handlers that were registered, by the event's name as in `AppRegistry:AppMinted`. */
export const handlers = new Map<string, Handler>();

/** Stands in the place of `ponder:registry`, where the indexer's sources register their handlers. */
export const ponder = {
  on: (event: string, handler: Handler) => handlers.set(event, handler),
};

/** Stands in the place of the node that documents are read ahead from: each event brings its own. */
export const nodeAhead = () => ({ blockNumber: async () => 0 });
