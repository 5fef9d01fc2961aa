import { getAddress } from "viem/utils";
import * as z from "zod/mini";
import { type Did, type DidWeb, parseDid } from "./did.ts";
import { described } from "./schemas.ts";

/**
 * The registrable domain of a host after the public suffix list, its private section included; nothing for a public
 * suffix and for an IP address. `getDomain(host, { allowPrivateDomains: true })` of the package tldts is one.
 */
export type GetSite = (host: string) => string | null | undefined;

/** What a DID names, which is all that control of it proves. */
export const provenSubjectSchema = z.object({
  kind: described(
    z.enum(["host", "path", "contract"]),
    "host: a whole host, or one port of it. path: one path of a host; other paths may belong to others.",
  ),
  name: described(
    z.string(),
    "example.com, example.com:8443, example.com/team, or the contract's CAIP-10 id with EIP-55 capitals.",
  ),
});

export type ProvenSubject = z.output<typeof provenSubjectSchema>;

/**
 * What a DID names. Names, publishers and links in metadata are claims; this is proven while *control* passes.
 *
 * @throws {InvalidDidError}
 * @example
 * getProvenSubject("did:web:example.com:team"); // { kind: "path", name: "example.com/team" }
 */
export function getProvenSubject(did: string): ProvenSubject {
  const parsed = parseDid(did);
  if (parsed.method === "pkh") {
    return { kind: "contract", name: `eip155:${parsed.chainId}:${getAddress(parsed.address)}` };
  }
  const authority = parsed.port === undefined ? parsed.host : `${parsed.host}:${parsed.port}`;
  return parsed.path.length === 0
    ? { kind: "host", name: authority }
    : { kind: "path", name: [authority, ...parsed.path].join("/") };
}

/** The line that says who is proven; `name` is its part in bold. */
export type ProvenLine = ProvenSubject & { before: string; after: string };

const linePrefixes = {
  host: "Controlled by",
  path: "Controlled by an account at",
  contract: "Controlled by the owner of contract",
} as const;

/**
 * Who runs a service, in the words that every page, list and badge begins with.
 *
 * @param controlled Whether *control* passes now.
 * @throws {InvalidDidError}
 * @example
 * const { before, name, after } = formatProvenLine("did:web:example.com", false);
 * `${before} ${name}${after}`; // "Registered under example.com; control not currently proven"
 */
export function formatProvenLine(did: string, controlled: boolean): ProvenLine {
  const proven = getProvenSubject(did);
  return controlled
    ? { ...proven, before: linePrefixes[proven.kind], after: "" }
    : { ...proven, before: "Registered under", after: "; control not currently proven" };
}

/** How an address relates to what a DID names; `unknown` when that takes a public suffix list and none was given. */
export type Relation = "same-host" | "same-site" | "same-path" | "elsewhere" | "unknown";

/**
 * How an address relates to what a DID names, by the names alone.
 *
 * A DID with a path names that path and what lies below it, and a DID with a port that port. Any other did:web names
 * its host with all ports, and the hosts of its site. Nothing is below a contract.
 *
 * @throws {InvalidDidError}
 * @example
 * getRelation("did:web:example.com", "https://example.com/v1"); // "same-host"
 */
export function getRelation(did: string | Did, url: string, siteOf?: GetSite): Relation {
  const proven = typeof did === "string" ? parseDid(did) : did;
  const address = parseLocation(url);
  if (proven.method === "pkh" || !address) return "elsewhere";
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

/** The schemes whose addresses lead to a host, and the port of one that names none. */
const PORTS: Record<string, number | undefined> = {
  ...{ "https:": 443, "wss:": 443, "http:": 80, "ws:": 80 },
  ...{ "grpcs:": undefined, "grpc:": undefined },
};

/** The host, port and path that an address leads to; undefined for one without host. Nothing before `@` counts. */
export function parseLocation(
  url: string,
): { host: string; port: number | undefined; pathname: string } | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, port, pathname } = new URL(url);
  const host = hostname.toLowerCase().replace(/\.$/, "");
  if (host === "" || !(protocol in PORTS)) return undefined;
  return { host, port: port === "" ? PORTS[protocol] : Number(port), pathname };
}

/** Parts of a path that a server may read as a way up, or out of their segment; the URL parser leaves them alone. */
const UNSAFE_PATH = /%2f|%5c|\\|\/(?:\.|%2e){1,2}(?:;|%3b|\/|$)/i;

/** Whether a URL's path is the DID's or below it. */
function isWithinDidPath(pathname: string, { path }: DidWeb): boolean {
  if (UNSAFE_PATH.test(pathname)) return false;
  const segments = pathname.slice(1).split("/").map(decoded);
  return path.every((segment, index) => decoded(segment) === segments[index]);
}

/** Percent triplets are decoded, so that each spelling of a segment is the same one. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
