import { getSite as siteOfHost } from "@app-registry/outbound/site";

/** Returns the site of a DID: for did:web, the host's site or the host; for a contract, its chain (`eip155:1`). */
export function getDidSite(did: string): string {
  const [, method, first = "", second = ""] = did.split(":");
  if (method !== "web") return `${first}:${second}`;
  const [host = ""] = first.split("%");
  return siteOfHost(host) ?? host;
}
