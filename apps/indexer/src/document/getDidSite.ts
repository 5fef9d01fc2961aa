import { getSite as siteOfHost } from "@app-registry/outbound/site";

/** The site that a DID names: of a did:web its host's, or the host itself; of a contract its chain, `eip155:1`. */
export function getDidSite(did: string): string {
  const [, method, first = "", second = ""] = did.split(":");
  if (method !== "web") return `${first}:${second}`;
  const [host = ""] = first.split("%");
  return siteOfHost(host) ?? host;
}
