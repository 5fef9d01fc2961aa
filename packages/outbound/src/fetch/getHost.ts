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
