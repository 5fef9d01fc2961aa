import { isLoopbackHost } from "./publicAddress.ts";

/**
 * The host that a request to `url` loads, for polite pauses; empty for a URL without a host. For public hosts it is the
 * name without the port, because another port must not allow more requests. On the loopback each port is another server.
 * @example
 * getHost("https://example.com:8443/a.json"); // "example.com"
 */
export function getHost(url: string | URL): string {
  if (!URL.canParse(String(url))) return "";
  const { hostname, host } = new URL(url);
  return isLoopbackHost(hostname) ? host : hostname.replace(/\.$/, "");
}
