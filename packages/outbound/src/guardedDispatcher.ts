import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector } from "undici";
import { GuardedFetchError } from "./guardedFetchError.ts";
import { isLoopbackAddress, isPublicAddress } from "./publicAddress.ts";
import { type ResolveAddresses, resolveByDns } from "./resolveAddresses.ts";

/**
 * An undici dispatcher that opens sockets to public unicast addresses only. The name is resolved here, and the
 * very addresses that were judged are the ones connected to, so that a name which resolves differently the second
 * time gains nothing. A name with one address that is not public is refused as a whole.
 * @param options.allowLoopback Allows loopback addresses as well; plain http reaches loopback alone.
 * @param options.connectTimeout Milliseconds for the connection, TLS included.
 * @param options.resolve Replaces the system's name servers.
 */
export function createGuardedDispatcher(options: {
  allowLoopback: boolean;
  connectTimeout: number;
  resolve?: ResolveAddresses | undefined;
}): Agent {
  const { allowLoopback, connectTimeout, resolve = resolveByDns(connectTimeout) } = options;

  const connectorFor = (isAllowed: (address: string) => boolean) => {
    const connector = buildConnector({
      timeout: connectTimeout,
      lookup: guardedLookup(resolve, isAllowed),
      // A host's TLS ticket holds bytes of its choice, which the next address of its name would be sent.
      maxCachedSessions: 0,
    });
    const connect: buildConnector.connector = (target, callback) => {
      const hostname = target.hostname.replace(/^\[|\]$/g, "");
      // node:net asks its lookup for names only: an address written into the URL is judged here.
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
    connections: 8,
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
    // Not within the call: a connection that fails at once would do so before anybody hears its error.
    process.nextTick(resolve, hostname, { ...options, all: true }, judge);
  };
}

/** Says nothing about the address itself: the answer must not map the network that the server stands in. */
function notPublic(hostname: string): GuardedFetchError {
  return new GuardedFetchError(
    "address-not-public",
    `//${hostname}`,
    `${hostname} is not on the public internet, so it is not asked.`,
  );
}

function notFound(hostname: string, cause: NodeJS.ErrnoException): GuardedFetchError {
  const isAbsent = cause.code === "ENOTFOUND" || cause.code === "ENODATA";
  const message = isAbsent
    ? `The name ${hostname} does not resolve: check its DNS records.`
    : `The name servers of ${hostname} did not answer (${cause.code ?? "no reason"}).`;
  return new GuardedFetchError("name-not-found", `//${hostname}`, message, { cause });
}
