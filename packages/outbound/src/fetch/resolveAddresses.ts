import dns, { type LookupAddress, type LookupAllOptions } from "node:dns";
import { Resolver } from "node:dns/promises";
import { isLoopbackHost } from "./publicAddress.ts";

/** Function that resolves a name to all of its addresses, like `dns.lookup` with `all: true`. */
export type ResolveAddresses = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Addresses of names below localhost (RFC 6761). Name servers need not resolve them. */
const loopback: LookupAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/**
 * Creates a resolver that uses only the name servers of `node:dns`. `dns.lookup` is unsafe for untrusted names: it
 * applies the system's search domains and hosts file, and uses a small thread pool, which a slow name server could
 * block for the whole process.
 * @param timeout Time limit in milliseconds, for two attempts.
 */
export function createDnsResolver(timeout: number): ResolveAddresses {
  return (hostname, _options, callback) => {
    resolveHost(hostname, timeout).then(
      (addresses) => callback(null, addresses),
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

async function resolveHost(hostname: string, timeout: number): Promise<LookupAddress[]> {
  if (isLoopbackHost(hostname)) return loopback;
  const resolver = new Resolver({ timeout: Math.ceil(timeout / 5), tries: 2 });
  resolver.setServers(dns.getServers());
  const ask = async (family: 4 | 6) => {
    const addresses = await resolver[`resolve${family}`](hostname);
    return addresses.map((address): LookupAddress => ({ address, family }));
  };
  const [ipv4, ipv6] = await Promise.allSettled([ask(4), ask(6)]);
  const addresses = [ipv4, ipv6].flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  if (addresses.length === 0 && ipv4.status === "rejected") throw ipv4.reason;
  return addresses;
}

/** Function that resolves the TXT records of a name, each as its list of strings. Rejects like `node:dns`. */
export type ResolveTxt = (name: string) => Promise<string[][]>;

/**
 * Creates a resolver of TXT records with a time limit for all attempts.
 * @param options.servers Name servers, each `<ip>` or `<ip>:<port>`. Default: the system's. Use one that validates
 * DNSSEC.
 * @param options.timeout Time limit in milliseconds. Default 5,000.
 * @example
 * const resolveTxt = createTxtResolver({ timeout: 2_000 });
 */
export function createTxtResolver(
  options: { servers?: readonly string[]; timeout?: number } = {},
): ResolveTxt {
  const { servers, timeout = 5_000 } = options;
  return async (name) => {
    // Use one resolver per query, so that canceling it does not end other queries.
    const resolver = new Resolver({ timeout: Math.ceil(timeout / 3), tries: 2 });
    if (servers) resolver.setServers(servers);
    AbortSignal.timeout(timeout).addEventListener("abort", () => resolver.cancel());
    return resolver.resolveTxt(name);
  };
}
