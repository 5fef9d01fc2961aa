import { getHost } from "../getHost.ts";
import { getSite } from "../site.ts";

/** Whether two addresses are of one host or one site: a stranger's document leads us nowhere else. */
export function isSameSite(one: URL, other: URL): boolean {
  if (getHost(one) === getHost(other)) return true;
  const site = getSite(one.hostname);
  return site !== null && site === getSite(other.hostname);
}
