import { isIP } from "node:net";
import { isLocalhostName } from "@app-registry/sdk/internal";
import ipaddr from "ipaddr.js";

/** Every globally routed IPv6 unicast address is in 2000::/3 (RFC 4291, IANA allocation). */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");
/** Well-known NAT64 prefix (RFC 6052): the last 32 bits are the IPv4 address that it reaches. */
const nat64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/**
 * Whether an IP address (not a name) is a public unicast address. IPv4-mapped (`::ffff:a.b.c.d`) and NAT64
 * (`64:ff9b::a.b.c.d`) addresses are judged by the IPv4 address inside. Every other form that contains one (6to4, Teredo,
 * ISATAP, IPv4-compatible) is refused, and so is text that is not an IP address.
 */
export function isPublicAddress(address: string): boolean {
  const parsed = parse(address);
  if (!parsed) return false;
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === "unicast";
  const embedded = embeddedIPv4(parsed);
  if (embedded) return embedded.range() === "unicast";
  return parsed.match(globalUnicast) && parsed.range() === "unicast" && !isIsatap(parsed);
}

/** Whether an IP address (not a name) is a loopback address: 127.0.0.0/8, ::1, or either of them IPv4-mapped. */
export function isLoopbackAddress(address: string): boolean {
  const parsed = parse(address);
  if (!parsed) return false;
  const judged = parsed instanceof ipaddr.IPv6 ? (embeddedIPv4(parsed) ?? parsed) : parsed;
  return judged.range() === "loopback";
}

/** Whether the host of a URL names the loopback: localhost, a name below it, or a loopback address. */
export function isLoopbackHost(hostname: string): boolean {
  return isLocalhostName(hostname) || isLoopbackAddress(hostname.replace(/^\[|\]$/g, ""));
}

function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const version = isIP(address);
  if (version === 4) return ipaddr.IPv4.parse(address);
  // ipaddr.js reads every IPv6 text with a dotted tail as IPv4-mapped, so it is given the all-hex form.
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

/** ISATAP (RFC 5214): below any prefix, 0:5efe or 200:5efe and then the IPv4 address at the tunnel's end. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe;
}
