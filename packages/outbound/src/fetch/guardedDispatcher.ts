import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector } from "undici";
import { GuardedFetchError, timeoutError, tooLargeError } from "./guardedFetchError.ts";
import { createDnsResolver, isLoopbackAddress, isPublicAddress, type ResolveAddresses } from "./hosts.ts";

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

/** Time limit for connecting to one of several addresses of a host, in milliseconds. */
const ATTEMPT_TIMEOUT = 2_000;

/**
 * Creates an undici dispatcher that opens sockets to public unicast addresses only. It resolves the name itself and
 * connects to the checked addresses, which prevents DNS rebinding. It rejects a name if any of its addresses is not
 * public.
 * @param options.allowLoopback Also allows loopback addresses; plain http reaches only loopback.
 * @param options.connectTimeout Time limit for the connection including TLS, in milliseconds.
 * @param options.resolve Resolver to use instead of the system's name servers.
 * @param options.connections Maximum number of connections per origin. Default 8.
 * @param options.maxSilence Time limit for the headers and between chunks of the body, in milliseconds. Default
 * 300,000.
 */
export function createGuardedDispatcher(options: {
  allowLoopback: boolean;
  connectTimeout: number;
  resolve?: ResolveAddresses | undefined;
  connections?: number;
  maxSilence?: number;
}): Agent {
  const { allowLoopback, connectTimeout, resolve = createDnsResolver(connectTimeout) } = options;
  const { connections = 8, maxSilence } = options;

  const connectorFor = (isAllowed: (address: string) => boolean) => {
    const connector = buildConnector({
      timeout: connectTimeout,
      // After its default of 250 ms, Node.js drops an address for the next one: too soon for far hosts, and for a busy
      // process that sees its connection late.
      autoSelectFamilyAttemptTimeout: Math.min(ATTEMPT_TIMEOUT, connectTimeout / 2),
      lookup: guardedLookup(resolve, isAllowed),
      // Don't resume TLS sessions: a host chooses the bytes of its ticket, and could have us send them to another
      // address.
      maxCachedSessions: 0,
    });
    const connect: buildConnector.connector = (target, callback) => {
      const hostname = target.hostname.replace(/^\[|\]$/g, "");
      // node:net resolves only names, so an IP address in the URL has to be checked here.
      if (isIP(hostname) !== 0 && !isAllowed(hostname)) {
        callback(notPublic(target.hostname), null);
        return;
      }
      connector(target, callback);
    };
    return connect;
  };

  const overHttps = connectorFor(
    (address) => isPublicAddress(address) || (allowLoopback && isLoopbackAddress(address)),
  );
  const overHttp = connectorFor((address) => allowLoopback && isLoopbackAddress(address));

  return new Agent({
    connect: (target, callback) => (target.protocol === "https:" ? overHttps : overHttp)(target, callback),
    connections,
    ...(maxSilence !== undefined && { headersTimeout: maxSilence, bodyTimeout: maxSilence }),
    keepAliveTimeout: 1_000,
    keepAliveMaxTimeout: 1_000,
    pipelining: 1,
  });
}

function guardedLookup(resolve: ResolveAddresses, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    const judge: Parameters<ResolveAddresses>[2] = (error, addresses) => {
      if (error) return callback(notFound(hostname, error), "");
      const first = addresses[0];
      if (!first || !addresses.every(({ address }) => isAllowed(address))) {
        return callback(notPublic(hostname), "");
      }
      if (options.all) return callback(null, addresses);
      return callback(null, first.address, first.family);
    };
    // Defer: if the connection failed synchronously, its error would be emitted before anyone listens.
    process.nextTick(resolve, hostname, { ...options, all: true }, judge);
  };
}

/** Creates the error for a non-public address. The message omits the address, so that it can't reveal our network. */
function notPublic(hostname: string): GuardedFetchError {
  return new GuardedFetchError(
    "address-not-public",
    `//${hostname}`,
    `${hostname} is not on the public internet, so we don't connect to it.`,
  );
}

function notFound(hostname: string, cause: NodeJS.ErrnoException): GuardedFetchError {
  const isAbsent = cause.code === "ENOTFOUND" || cause.code === "ENODATA";
  const message = isAbsent
    ? `${hostname} does not resolve. Check its DNS records.`
    : `The name servers of ${hostname} did not respond (${cause.code ?? "no reason"}).`;
  return new GuardedFetchError("name-not-found", `//${hostname}`, message, { cause });
}
