import { getProvenSubject, InvalidDidError, normalizeDid } from "@app-registry/sdk";

/** Subject of a publisher's page (a host, port, path or contract), or the reason that its path is invalid. */
export type Publisher =
  | { ok: true; did: string; path: string }
  | {
      ok: false;
      /** Sentence for the reader. */
      reason: string;
    };

/**
 * Returns the path of the list of services under a DID's host, path or contract: `/by/example.com/team`. Percent signs
 * are encoded again, as in a service's path.
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
  // Browsers percent-encode an international host.
  const name = decodeURIComponent(authority);
  if (/^eip155:/i.test(name)) return ["did:pkh", name, ...path].join(":");
  return ["did:web", name.replace(":", "%3A"), ...path.map((part) => part.replaceAll(":", "%3A"))].join(":");
}
