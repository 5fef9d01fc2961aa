import { AppRegistryError } from "../errors/appRegistryError.ts";

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
