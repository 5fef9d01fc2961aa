import dns, { type LookupAddress, type LookupAllOptions } from "node:dns";
import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { isLocalhostName } from "@app-registry/sdk/internal";
import ipaddr from "ipaddr.js";
import { getSite } from "../site.ts";

/** Range of all globally routed IPv6 unicast addresses (RFC 4291, IANA allocation). */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");
/** Well-known NAT64 prefix (RFC 6052). The last 32 bits are the target's IPv4 address. */
const nat64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/**
 * Returns true if an IP address (not a name) is a public unicast address. Checks the embedded IPv4 address of
 * IPv4-mapped (`::ffff:a.b.c.d`) and NAT64 (`64:ff9b::a.b.c.d`) addresses. Returns false for every other form that
 * embeds one (6to4, Teredo, ISATAP, IPv4-compatible) and for text that is not an IP address.
 */
export function isPublicAddress(address: string): boolean {
  const parsed = parse(address);
  if (!parsed) return false;
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === "unicast";
  const embedded = embeddedIPv4(parsed);
  if (embedded) return embedded.range() === "unicast";
  return parsed.match(globalUnicast) && parsed.range() === "unicast" && !isIsatap(parsed);
}

/**
 * Returns true if an IP address (not a name) is a loopback address: 127.0.0.0/8, ::1, or either of them IPv4-mapped.
 */
export function isLoopbackAddress(address: string): boolean {
  const parsed = parse(address);
  if (!parsed) return false;
  const judged = parsed instanceof ipaddr.IPv6 ? (embeddedIPv4(parsed) ?? parsed) : parsed;
  return judged.range() === "loopback";
}

/** Returns true if the host of a URL is localhost, a name below it, or a loopback address. */
export function isLoopbackHost(hostname: string): boolean {
  return isLocalhostName(hostname) || isLoopbackAddress(hostname.replace(/^\[|\]$/g, ""));
}

function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const version = isIP(address);
  if (version === 4) return ipaddr.IPv4.parse(address);
  // Convert to hex first: ipaddr.js parses any IPv6 address with a dotted tail as IPv4-mapped.
  if (version === 6 && URL.canParse(`http://[${address}]/`)) {
    return ipaddr.IPv6.parse(new URL(`http://[${address}]/`).hostname.slice(1, -1));
  }
  return undefined;
}

function embeddedIPv4(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (address.match(nat64)) return new ipaddr.IPv4(address.toByteArray().slice(12));
  return undefined;
}

/** Returns true for an ISATAP address (RFC 5214): any prefix, then 0:5efe or 200:5efe, then an IPv4 address. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe;
}

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

/**
 * Returns the host of a URL for rate limiting, or an empty string if it has none. Omits the port of a public host, so
 * that its ports share one limit. Includes the port of a loopback host, because each port is a different server.
 * @example
 * getHost("https://example.com:8443/a.json"); // "example.com"
 */
export function getHost(url: string | URL): string {
  if (!URL.canParse(String(url))) return "";
  const { hostname, host } = new URL(url);
  return isLoopbackHost(hostname) ? host : hostname.replace(/\.$/, "");
}

/** Returns true if two URLs share a host or a site. Links in untrusted documents are followed only if they do. */
export function isSameSite(one: URL, other: URL): boolean {
  if (getHost(one) === getHost(other)) return true;
  const site = getSite(one.hostname);
  return site !== null && site === getSite(other.hostname);
}

/** Returns the media type in lower case and without parameters, or an empty string. */
export const mediaTypeIn = (headers: { get(name: string): string | null }): string =>
  headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
