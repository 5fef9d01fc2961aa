import { getSite } from "../site.ts";
import { isLoopbackHost } from "./publicAddress.ts";

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
