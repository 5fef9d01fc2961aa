import { GuardedFetchError, timeoutError } from "./guardedFetchError.ts";

/** Most requests of one budget, including redirects. */
const MAX_REQUESTS = 100;

/** Time, bytes and requests that one request, or all requests of one session, may use. */
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

  /** Aborts when the budget is used up; with the error that says what was used up, except for the time. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** @throws GuardedFetchError `too-many-requests`, or what ended the budget before. */
  takeRequest(url: URL): void {
    if (this.signal.aborted) throw this.cutOff(url);
    if (this.#requestsLeft-- > 0) return;
    const message = `${url.host} would need more than ${MAX_REQUESTS} requests.`;
    throw this.#exceed(new GuardedFetchError("too-many-requests", url, message));
  }

  /** @throws GuardedFetchError `too-large`. */
  takeBytes(count: number, url: URL): void {
    this.#bytesLeft -= count;
    if (this.#bytesLeft >= 0) return;
    const message = `${url.href} is larger than ${this.#maxBytes.toLocaleString("en")} bytes.`;
    throw this.#exceed(new GuardedFetchError("too-large", url, message));
  }

  /** The error of a request that was running when the budget ended. */
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
