import type { Did } from "./did.ts";
import { type DidLocation, getDidLocation, getProvenSubject, type ProvenSubject } from "./didMethods.ts";

/**
 * Function that returns the registrable domain of a host according to the public suffix list, including its private
 * section, or nothing for a public suffix and for an IP address. `getDomain(host, { allowPrivateDomains: true })` of
 * the package tldts is one.
 */
export type GetSite = (host: string) => string | null | undefined;

/** Line about the proven subject. `name` is its part in bold. */
export type ProvenLine = ProvenSubject & { before: string; after: string };

const linePrefixes = {
  host: "Controlled by",
  path: "Controlled by an account at",
  contract: "Controlled by the owner of contract",
} as const;

/**
 * Formats the line about the proven subject with which every page, list and badge begins.
 *
 * @param control Outcome of *control*. If it is unknown, the line states that instead of denying control.
 * @throws {InvalidDidError}
 * @example
 * const { before, name, after } = formatProvenLine("did:web:example.com", "fail");
 * `${before} ${name}${after}`; // "Registered under example.com; control not currently proven"
 */
export function formatProvenLine(did: string, control: "pass" | "fail" | "unknown"): ProvenLine {
  const proven = getProvenSubject(did);
  if (control === "pass") {
    return { ...proven, before: linePrefixes[proven.kind], after: "" };
  }
  const after = control === "unknown" ? "; control couldn't be checked" : "; control not currently proven";
  return { ...proven, before: "Registered under", after };
}

/**
 * Relation of an address to the subject of a DID. `unknown` if the decision needs a public suffix list and none was
 * given.
 */
export type Relation = "same-host" | "same-site" | "same-path" | "elsewhere" | "unknown";

/**
 * Returns the relation of an address to the subject of a DID, from the names alone.
 *
 * The subject of a DID with a path is that path and the paths below it, and of a DID with a port that port. Any other
 * host is named with all ports, and the hosts of its site. Nothing is below a contract.
 *
 * @throws {InvalidDidError}
 * @example
 * getRelation("did:web:example.com", "https://example.com/v1"); // "same-host"
 */
export function getRelation(did: string | Did, url: string, siteOf?: GetSite): Relation {
  const proven = getDidLocation(did);
  const address = parseLocation(url);
  if (!proven || !address) return "elsewhere";
  const { host, port, pathname } = address;
  if (proven.path.length > 0) {
    const same = host === proven.host && port === (proven.port ?? 443) && isWithinDidPath(pathname, proven);
    return same ? "same-path" : "elsewhere";
  }
  if (proven.port !== undefined) {
    return host === proven.host && port === proven.port ? "same-host" : "elsewhere";
  }
  if (host === proven.host) return "same-host";
  if (!siteOf) return "unknown";
  const site = siteOf(proven.host);
  return site && site === siteOf(host) ? "same-site" : "elsewhere";
}

/** Schemes whose addresses lead to a host, each with its default port. */
const PORTS: Record<string, number | undefined> = {
  ...{ "https:": 443, "wss:": 443, "http:": 80, "ws:": 80 },
  ...{ "grpcs:": undefined, "grpc:": undefined },
};

/**
 * Returns the host, port and path of an address, or `undefined` for one without host. Ignores the user name before `@`.
 */
export function parseLocation(
  url: string,
): { host: string; port: number | undefined; pathname: string } | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, port, pathname } = new URL(url);
  const host = hostname.toLowerCase().replace(/\.$/, "");
  if (host === "" || !(protocol in PORTS)) return undefined;
  return { host, port: port === "" ? PORTS[protocol] : Number(port), pathname };
}

/**
 * Parts of a path that a server may read as a parent directory or as the end of a segment. The URL parser does not
 * resolve them.
 */
const UNSAFE_PATH = /%2f|%5c|\\|\/(?:\.|%2e){1,2}(?:;|%3b|\/|$)/i;

/** Returns true if a URL's path is the DID's path or below it. */
function isWithinDidPath(pathname: string, { path }: DidLocation): boolean {
  if (UNSAFE_PATH.test(pathname)) return false;
  const segments = pathname.slice(1).split("/").map(decoded);
  return path.every((segment, index) => decoded(segment) === segments[index]);
}

/** Decodes percent triplets, so that all spellings of a segment are equal. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
