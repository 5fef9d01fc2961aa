import { hostOf } from "../hostOf.ts";
import { siteOf } from "../site.ts";

/** Whether two addresses are of one host or one site: a stranger's document leads us nowhere else. */
export function isSameSite(one: URL, other: URL): boolean {
  if (hostOf(one) === hostOf(other)) return true;
  const site = siteOf(one.hostname);
  return site !== null && site === siteOf(other.hostname);
}
