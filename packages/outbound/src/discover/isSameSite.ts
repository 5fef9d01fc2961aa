import { getHost } from "../fetch/getHost.ts";
import { getSite } from "../site.ts";

/** Returns true if two URLs share a host or a site. Links in untrusted documents are followed only if they do. */
export function isSameSite(one: URL, other: URL): boolean {
  if (getHost(one) === getHost(other)) return true;
  const site = getSite(one.hostname);
  return site !== null && site === getSite(other.hostname);
}
