import { isIP } from "node:net";
import { printable } from "../../fetch/printable.ts";
import { isLoopbackHost, isPublicAddress } from "../../fetch/publicAddress.ts";

/** Maximum number of addresses that a note lists. */
const MAX_LISTED = 3;

/**
 * Returns a note about addresses that others can't reach, unless the document itself is on a loopback host.
 *
 * @param source Name of the document at the start of the sentence.
 */
export function privateAddressNotes(source: string, addresses: readonly string[], url: string): string[] {
  const found = isLoopbackHost(new URL(url).hostname) ? [] : addresses.filter(isPrivate);
  if (found.length === 0) return [];
  const listed = found.slice(0, MAX_LISTED).map((address) => printable(address));
  const rest = found.length - listed.length;
  const list = new Intl.ListFormat("en").format([...listed, ...(rest > 0 ? [`${rest} more`] : [])]);
  return [
    `${source} lists addresses that only its own computer or network can reach: ${list}. Use public addresses.`,
  ];
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
