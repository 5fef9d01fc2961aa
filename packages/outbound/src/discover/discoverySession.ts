import { once } from "node:events";
import { AppRegistryError, JsonDocumentError, MAX_DOCUMENT_SIZE } from "@app-registry/sdk";
import type { FetchedDocument, GuardedFetch } from "../fetch/guardedFetch.ts";
import { GuardedFetchError, tooLargeError } from "../fetch/guardedFetchError.ts";
import { getHost } from "../fetch/hosts.ts";
import { ImportError } from "../import/importError.ts";
import { type DiscoveryAttempt, MCP_SERVER } from "./finding.ts";
import { createValueBudget, MAX_OPENAPI_SIZE, type ValueBudget } from "./read/openApiFinding.ts";

/** Maximum numbers of locations requested at a time and in total. */
const MAX_CONCURRENCY = 4;
const MAX_ATTEMPTS = 30;

const ACCEPT = "application/json, application/yaml;q=0.9, text/html;q=0.8, */*;q=0.5";

/** Requests about one service, with limits on concurrency and total time. Records the outcome of each location. */
export class DiscoverySession {
  readonly looked: DiscoveryAttempt[] = [];
  /** Documents that were found and could not be understood. */
  readonly unread: { place: string; reason: string }[] = [];
  /** Hosts that could not be reached, or to which requests are not allowed. */
  readonly #unreachable = new Set<string>();
  readonly signal: AbortSignal;
  readonly guardedFetch: GuardedFetch;
  /** Rejects when the time is over, also for a read that ignores the signal. */
  readonly #outOfTime: Promise<never>;
  readonly #documents = new Map<string, Promise<FetchedDocument>>();
  readonly #budget = createValueBudget();
  /** Number of characters left for documents larger than `MAX_DOCUMENT_SIZE`. */
  #largeLeft = 2 * MAX_OPENAPI_SIZE;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #places = 0;

  constructor(guardedFetch: GuardedFetch, timeout: number) {
    this.guardedFetch = guardedFetch;
    this.signal = AbortSignal.timeout(timeout);
    this.#outOfTime = once(this.signal, "abort").then(() => Promise.reject(this.signal.reason));
    this.#outOfTime.catch(() => undefined);
  }

  /** Returns true if the host of a URL could not be reached, or requests to it are not allowed. */
  isUnreachable(url: URL): boolean {
    return this.#unreachable.has(getHost(url));
  }

  /**
   * Runs one read when a slot is free, and records its outcome. Never throws.
   * @param read Returns `undefined` if the location serves something else.
   */
  async ask<Found>(
    place: string,
    lookedFor: string,
    read: () => Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    if (this.#places++ >= MAX_ATTEMPTS) return undefined;
    await this.#turn();
    const isLate = this.signal.aborted;
    try {
      if (isLate) throw this.signal.reason;
      const found = await Promise.race([read(), this.#outOfTime]);
      this.looked.push({ place, lookedFor, outcome: found === undefined ? "absent" : "found" });
      return found;
    } catch (error) {
      const silence = lookedFor === MCP_SERVER ? "No answer to initialize" : "No answer";
      const reason = this.signal.aborted
        ? isLate
          ? "Skipped: out of time."
          : `${silence} within the time limit.`
        : error instanceof AppRegistryError
          ? error.shortMessage
          : "The response couldn't be read.";
      if (error instanceof GuardedFetchError && unreachableHostCodes.has(error.code))
        this.#unreachable.add(getHost(new URL(place)));
      if (error instanceof JsonDocumentError || (error instanceof ImportError && isUnreadDocument(error)))
        this.unread.push({ place, reason });
      this.looked.push({
        place,
        lookedFor,
        outcome: isAbsence(error) ? "absent" : "failed",
        reason,
        ...(error instanceof GuardedFetchError && error.status !== undefined && { status: error.status }),
      });
      return undefined;
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** Fetches a document or a page. Each URL is fetched only once. `maxBytes` replaces the fetcher's limit. */
  document(url: URL, maxBytes?: number): Promise<FetchedDocument & { budget: ValueBudget }> {
    const fetched = this.#documents.get(url.href) ?? this.#fetch(url, maxBytes);
    this.#documents.set(url.href, fetched);
    return fetched.then((document) => ({ ...document, budget: this.#budget }));
  }

  async #fetch(url: URL, maxBytes?: number): Promise<FetchedDocument> {
    const limits = { signal: this.signal, ...(maxBytes !== undefined && { maxBytes }) };
    const document = await this.guardedFetch.fetchDocument(url, { accept: ACCEPT, ...limits });
    const isLarge = document.text.length > MAX_DOCUMENT_SIZE;
    if (isLarge) this.#largeLeft -= document.text.length;
    if (isLarge && this.#largeLeft < 0) throw tooLargeError(url, MAX_DOCUMENT_SIZE);
    return document;
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

const isUnreadDocument = ({ code }: ImportError): boolean =>
  code === "openapi-invalid" || code === "foreign-document";

/** Returns true if a location answers 404, or with something of another kind. */
function isAbsence(error: unknown): boolean {
  if (error instanceof ImportError)
    return !error.speaks && (error.status ?? 404) === 404 && !isUnreadDocument(error);
  return error instanceof GuardedFetchError && (error.code === "content-type" || error.status === 404);
}
