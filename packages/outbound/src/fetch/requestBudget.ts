import { GuardedFetchError, timeoutError, tooLargeError } from "./guardedFetchError.ts";

/** Maximum number of requests of one budget, including redirects. */
const MAX_REQUESTS = 100;

/** Limits on time, bytes and requests, for one request or for all requests of one session. */
export class RequestBudget {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #maxBytes: number;
  #bytesLeft: number;
  #requestsLeft = MAX_REQUESTS;

  constructor(timeout: number, maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#bytesLeft = maxBytes;
    this.#timer = setTimeout(() => this.#controller.abort(), timeout);
    this.#timer.unref();
  }

  /** Aborts when a limit is reached, with the error of the limit unless it is the time limit. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Counts a request. @throws {GuardedFetchError} `too-many-requests`, or the error that ended the budget before. */
  takeRequest(url: URL): void {
    if (this.signal.aborted) throw this.cutOff(url);
    if (this.#requestsLeft-- > 0) return;
    const message = `${url.host} would need more than ${MAX_REQUESTS} requests.`;
    throw this.#exceed(new GuardedFetchError("too-many-requests", url, message));
  }

  /** Counts received bytes. @throws {GuardedFetchError} `too-large`. */
  takeBytes(count: number, url: URL): void {
    this.#bytesLeft -= count;
    if (this.#bytesLeft >= 0) return;
    throw this.#exceed(tooLargeError(url, this.#maxBytes));
  }

  /** Returns the error for a request that was running when the budget ended. */
  cutOff(url: URL, cause?: unknown): GuardedFetchError {
    const { reason } = this.signal;
    return reason instanceof GuardedFetchError ? reason : timeoutError(url, cause);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#controller.abort();
  }

  #exceed(error: GuardedFetchError): GuardedFetchError {
    clearTimeout(this.#timer);
    this.#controller.abort(error);
    return error;
  }
}
