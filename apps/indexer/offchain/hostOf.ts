/**
 * The host that a request to `url` burdens; empty for a URL that burdens none. On the loopback each port is another
 * developer's server; elsewhere a port is no way to be asked more often.
 */
export function hostOf(url: string): string {
  if (!URL.canParse(url)) return "";
  const { hostname, host } = new URL(url);
  const isLoopback = /^(127(\.\d+){3}|\[::1\]|(.+\.)?localhost)$/.test(hostname);
  return isLoopback ? host : hostname;
}
