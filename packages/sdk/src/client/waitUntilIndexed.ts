import * as z from "zod/mini";
import { AppRegistryError } from "../errors/appRegistryError.ts";
import { countSchema } from "../schemas.ts";
import { requestJson } from "../service/requestJson.ts";
import { method } from "./calls.ts";
import type { ClientContext } from "./context.ts";

/** Block to wait for, with the web service and the time limit. */
export type WaitUntilIndexedParameters = {
  /** Block to wait for, such as that of a receipt. */
  blockNumber: bigint;
  /** Origin of a registry web service. Default: the one that `connectAppRegistry` connected the client to. */
  baseUrl?: string | undefined;
  /** Time limit in milliseconds. Default 60,000. */
  timeoutMs?: number | undefined;
};

/** Thrown when the search index did not reach a block in time. It may still do so. */
export class IndexTimeoutError extends AppRegistryError {
  override readonly name = "IndexTimeoutError";
  /** Block that the call waited for. */
  readonly blockNumber: bigint;
  /** Last block that the index reported; `undefined` if it did not respond. */
  readonly indexedBlock: bigint | undefined;

  constructor(blockNumber: bigint, indexedBlock: bigint | undefined, cause?: unknown) {
    const reached = indexedBlock === undefined ? "is not responding" : `has reached block ${indexedBlock}`;
    super(`Block ${blockNumber} is not indexed yet: the search index ${reached}.`, {
      action: "Wait again, or read the chain itself with searchChain() and getApp().",
      docsPath: "/sdk#writes",
      retryable: true,
      cause,
    });
    this.blockNumber = blockNumber;
    this.indexedBlock = indexedBlock;
  }
}

/** Thrown when the client has no web service, and thus no search index. */
export class NoServiceError extends AppRegistryError {
  override readonly name = "NoServiceError";

  constructor() {
    super("This call needs a registry web service, but the client has none configured.", {
      action: "Pass baseUrl, or create the client with connectAppRegistry().",
      docsPath: "/sdk#client",
    });
  }
}

const pageSchema = z.object({ source: z.enum(["index", "chain"]), block: countSchema });

/** Delay between two requests, in milliseconds. The index is about a second behind the chain. */
const interval = 250;

/**
 * Waits until the search index has reached a block, so that a search finds the changes of a transaction in it. Ignores
 * results from the chain, which the service returns while its index is down.
 *
 * @throws {IndexTimeoutError} when the index does not reach the block in time.
 * @throws {NoServiceError} when there is no `baseUrl`.
 * @example
 * const hash = await client.updateStatus({ did, major: 1, status: 1 });
 * const { blockNumber } = await client.waitForReceipt({ hash });
 * await client.waitUntilIndexed({ blockNumber });
 */
export const waitUntilIndexed = method(
  "blockNumber baseUrl? timeoutMs?",
  async (
    context: ClientContext,
    { blockNumber, baseUrl = context.baseUrl, timeoutMs = 60_000 }: WaitUntilIndexedParameters,
  ): Promise<void> => {
    if (baseUrl === undefined) throw new NoServiceError();
    const deadline = Date.now() + timeoutMs;
    let reached: bigint | undefined;
    let failure: unknown;
    do {
      const left = Math.max(1, deadline - Date.now());
      try {
        const page = await requestJson({ baseUrl, timeoutMs: left }, "/api/search?limit=1", pageSchema);
        if (page.source === "index") reached = BigInt(page.block);
        if (reached !== undefined && reached >= blockNumber) return;
      } catch (error) {
        // Retry: a service that is restarting or limits requests may respond before time is up.
        if (error instanceof AppRegistryError && !error.retryable) throw error;
        failure = error;
      }
      await new Promise((resolve) =>
        setTimeout(resolve, Math.min(interval, Math.max(0, deadline - Date.now()))),
      );
    } while (Date.now() < deadline);
    throw new IndexTimeoutError(blockNumber, reached, failure);
  },
);
