import { isIP } from "node:net";
import { printable } from "../../fetch/printable.ts";
import { isLoopbackHost, isPublicAddress } from "../../fetch/publicAddress.ts";

/** Notes that a document lists addresses which others can't reach, unless it is on a loopback host itself. */
export function notePrivateAddresses(source: string, addresses: string[], url: string): { notes?: string[] } {
  const found = isLoopbackHost(new URL(url).hostname) ? [] : addresses.filter(isPrivate);
  const [first] = found;
  if (first === undefined) return {};
  const list = found.length === 1 ? printable(first) : `${printable(first)} and ${found.length - 1} more`;
  const note = `${source} lists addresses that only its own computer or network can reach: ${list}.`;
  return { notes: [`${note} Use public addresses.`] };
}

/** Returns true if an address, with or without a scheme (gRPC), is on a host that is not public. */
function isPrivate(address: string): boolean {
  // Parse every address as http, so that the host of any scheme is normalized.
  const href = `http://${address.replace(/^[a-z][a-z0-9+.-]*:\/\//i, "")}`;
  if (!URL.canParse(href)) return false;
  const host = new URL(href).hostname.replace(/^\[|\]$|\.$/g, "");
  if (isIP(host) !== 0) return !isPublicAddress(host);
  return isLoopbackHost(host) || !host.includes(".") || /\.(?:local|internal)$/.test(host);
}
