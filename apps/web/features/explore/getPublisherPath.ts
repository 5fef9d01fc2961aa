import { listHref } from "./listQuery.ts";

/** Returns the path of the list of services, in any status, under a DID: its own and those of its paths. */
export const getPublisherPath = (did: string): string => listHref({ under: did, status: "any" });

/**
 * Returns the list that replaced `/by/<host>`, `/by/<host>:<port>/<path>` or `/by/eip155:<chain>:<address>`. Takes the
 * undecoded path. The list reports a name that is invalid.
 */
export function replacePublisherPath(rawPath: string): string {
  try {
    const [, , authority = "", ...path] = decodeURIComponent(rawPath.replace(/\/$/, "")).split("/");
    if (/^eip155:/i.test(authority)) return getPublisherPath(`did:pkh:${authority}`);
    const parts = [authority, ...path].map((part) => part.replaceAll(":", "%3A"));
    return getPublisherPath(`did:web:${parts.join(":")}`);
  } catch {
    // The path has invalid percent-encoding.
    return "/apps";
  }
}
