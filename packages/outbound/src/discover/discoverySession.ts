import { AppRegistryError } from "@app-registry/sdk";
import type { FetchedDocument, GuardedFetch } from "../guardedFetch.ts";
import { GuardedFetchError } from "../guardedFetchError.ts";
import { ImportError } from "../import/importError.ts";
import type { DiscoveryAttempt } from "./finding.ts";

/** Places asked at the same time, and places in all. */
const MAX_CONCURRENCY = 4;
const MAX_ATTEMPTS = 30;

const ACCEPT = "application/json, application/yaml;q=0.9, text/html;q=0.8, */*;q=0.5";

/** Asks places about one service: few at once, within one time, and keeps what came of each. */
export class DiscoverySession {
  readonly looked: DiscoveryAttempt[] = [];
  /** Whether a host could not be reached at all, or may not be. */
  hasNoHost = false;
  readonly signal: AbortSignal;
  readonly guardedFetch: GuardedFetch;
  readonly #documents = new Map<string, Promise<FetchedDocument>>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #places = 0;

  constructor(guardedFetch: GuardedFetch, timeout: number) {
    this.guardedFetch = guardedFetch;
    this.signal = AbortSignal.timeout(timeout);
  }

  /**
   * Asks a place for one thing, when it is its turn. It never throws.
   * @param read Gives undefined when the place answers with something else.
   */
  async ask<Found>(
    place: string,
    lookedFor: string,
    read: () => Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    if (this.#places++ >= MAX_ATTEMPTS) return undefined;
    await this.#turn();
    try {
      if (this.signal.aborted) throw this.signal.reason;
      const found = await read();
      this.looked.push({ place, lookedFor, outcome: found === undefined ? "absent" : "found" });
      return found;
    } catch (error) {
      const reason = this.signal.aborted
        ? "Skipped: out of time."
        : error instanceof AppRegistryError
          ? error.shortMessage
          : "The response couldn't be read.";
      this.hasNoHost ||= error instanceof GuardedFetchError && unreachableHostCodes.has(error.code);
      this.looked.push({
        place,
        lookedFor,
        outcome: isUnexpectedAnswer(error) ? "absent" : "failed",
        reason,
      });
      return undefined;
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** Notes a place that is not asked. */
  skip(place: string, lookedFor: string, reason: string): void {
    if (this.#places++ < MAX_ATTEMPTS) this.looked.push({ place, lookedFor, outcome: "absent", reason });
  }

  /** A document or a page; each address is fetched once. */
  document(url: URL): Promise<FetchedDocument> {
    const known = this.#documents.get(url.href);
    if (known) return known;
    const fetched = this.guardedFetch.fetchDocument(url, { accept: ACCEPT, signal: this.signal });
    this.#documents.set(url.href, fetched);
    return fetched;
  }

  async #turn(): Promise<void> {
    while (this.#running >= MAX_CONCURRENCY)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
  }
}

const unreachableHostCodes = new Set<string>([
  "url-not-allowed",
  "address-not-public",
  "name-not-found",
  "unreachable",
  "tls-failed",
]);

/** Whether a place answered, but with something else than was looked for. */
function isUnexpectedAnswer(error: unknown): boolean {
  if (error instanceof ImportError) return !error.needsAccess;
  if (!(error instanceof GuardedFetchError)) return false;
  return error.code === "content-type" || (error.status !== undefined && error.status < 500);
}
