import { getProvenSubject, InvalidDidError, normalizeDid } from "@app-registry/sdk";

/** What the address of a publisher's page names: a host, a port, a path or a contract. */
export type Publisher =
  | { ok: true; did: string; path: string }
  | {
      ok: false;
      /** For the person who typed it. */
      reason: string;
    };

/**
 * Path of the page that lists what is registered under what a DID names: `/by/example.com/team`. Percent signs stand
 * encoded once more, as in a service's path.
 *
 * @throws InvalidDidError
 */
export const getPublisherPath = (did: string): string =>
  `/by/${getProvenSubject(did).name.replaceAll("%", "%25")}`;

/** Reads `/by/<host>`, `/by/<host>:<port>/<path>` or `/by/eip155:<chain>:<address>` from the raw, undecoded path. */
export function parsePublisherPath(rawPath: string): Publisher {
  try {
    const did = normalizeDid(parsePublisherDid(rawPath.replace(/^\/by\//, "").replace(/\/$/, "")));
    return { ok: true, did, path: getPublisherPath(did) };
  } catch (error) {
    if (error instanceof InvalidDidError) return { ok: false, reason: error.reason };
    if (error instanceof URIError) return { ok: false, reason: "The address has invalid percent-encoding." };
    throw error;
  }
}

function parsePublisherDid(rest: string): string {
  const [authority = "", ...path] = (rest.includes("%25") ? decodeURIComponent(rest) : rest).split("/");
  // A browser encodes an international name.
  const name = decodeURIComponent(authority);
  if (/^eip155:/i.test(name)) return ["did:pkh", name, ...path].join(":");
  return ["did:web", name.replace(":", "%3A"), ...path.map((part) => part.replaceAll(":", "%3A"))].join(":");
}
