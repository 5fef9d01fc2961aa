import { isLoopbackHost } from "./publicAddress.ts";

/**
 * The host that a request to `url` burdens, as the one to be polite to; empty for a URL that burdens none. Off the
 * loopback it is the host's name alone, because a port is no way to be asked more often. On the loopback each port is
 * another person's server of a local stack.
 * @example
 * hostOf("https://example.com:8443/a.json"); // "example.com"
 */
export function hostOf(url: string | URL): string {
  if (!URL.canParse(String(url))) return "";
  const { hostname, host } = new URL(url);
  return isLoopbackHost(hostname) ? host : hostname.replace(/\.$/, "");
}
