import { isIP } from "node:net";
import { isLocalhostName } from "@app-registry/sdk/internal";
import ipaddr from "ipaddr.js";

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
