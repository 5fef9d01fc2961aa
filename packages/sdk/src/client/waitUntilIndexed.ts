import * as z from "zod/mini";
import { AppRegistryError } from "../errors/appRegistryError.ts";
import { countSchema } from "../schemas.ts";
import { requestJson } from "../service/requestJson.ts";
import type { ClientContext } from "./context.ts";

/** The block to wait for, and where and how long. */
export type WaitUntilIndexedParameters = {
  /** The block to wait for, such as that of a receipt. */
  blockNumber: bigint;
  /** Origin of a registry web service; default the one that the client was connected by. */
  baseUrl?: string | undefined;
  /** Default 60,000 ms. */
  timeoutMs?: number | undefined;
};

/** The search index didn't reach a block in time. It still may. */
export class IndexTimeoutError extends AppRegistryError {
  override readonly name = "IndexTimeoutError";
  /** The block that was waited for. */
  readonly blockNumber: bigint;
  /** The last block that the index reported; undefined if it didn't answer. */
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

/** The client knows no web service, so there is no index to ask. */
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

/** Milliseconds between two requests; the index is about a second behind the chain. */
const interval = 250;

/**
 * Waits until the search index has reached a block, so that a search finds what a transaction in it changed.
 * An answer from the chain, which the service gives while its index is down, doesn't count.
 *
 * @throws {IndexTimeoutError} when it doesn't in time, {@link NoServiceError}.
 * @example
 * const hash = await client.updateStatus({ did, major: 1, status: 1 });
 * const { blockNumber } = await client.waitForReceipt({ hash });
 * await client.waitUntilIndexed({ blockNumber });
 */
export async function waitUntilIndexed(
  context: ClientContext,
  { blockNumber, baseUrl = context.baseUrl, timeoutMs = 60_000 }: WaitUntilIndexedParameters,
): Promise<void> {
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
      // A service that is restarting, or refuses by its limits, may answer before time is up.
      if (error instanceof AppRegistryError && !error.retryable) throw error;
      failure = error;
    }
    await new Promise((resolve) =>
      setTimeout(resolve, Math.min(interval, Math.max(0, deadline - Date.now()))),
    );
  } while (Date.now() < deadline);
  throw new IndexTimeoutError(blockNumber, reached, failure);
}
