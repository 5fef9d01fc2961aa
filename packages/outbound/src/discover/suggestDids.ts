import { InvalidDidError, normalizeDid } from "@app-registry/sdk";
import { getSite } from "../site.ts";
import type { Discovery } from "./finding.ts";

/** Path segments that name a kind of resource rather than a tenant. */
const genericPathSegment = /^(?:mcp|sse|messages?|api|v\d+|a2a|\.well-known|[^.]*\..*)$/i;

/**
 * Suggests DIDs for a service at a URL, the most likely first. Returns none for a host that can't have a DID, such as
 * an IP address.
 *
 * @param given The requested DID, if the person entered one.
 * @example
 * suggestDids(new URL("https://api.example.com/mcp")).map(({ did }) => did);
 * // ["did:web:api.example.com", "did:web:example.com"]
 */
export function suggestDids(url: URL, given?: string): Discovery["dids"] {
  const site = getSite(url.hostname);
  const port = url.port === "" ? "" : `%3A${url.port}`;
  const segments = url.pathname.split("/").filter((segment) => segment !== "");
  while (segments.length > 0 && genericPathSegment.test(segments.at(-1) ?? "")) segments.pop();
  const host = `did:web:${url.hostname}${port}`;
  const candidates: [string | undefined, string][] = [
    [given, "The DID you entered."],
    [host, `Identifies ${url.host}, the host of the service.`],
    [site === null ? undefined : `did:web:${site}`, `Identifies ${site}, the domain of ${url.hostname}.`],
    [
      segments.length === 0 || segments.includes(".well-known") ? undefined : [host, ...segments].join(":"),
      `Identifies only the path ${url.host}/${segments.join("/")}. Choose this if you share the host with others.`,
    ],
  ];
  const dids = new Map<string, string>();
  for (const [candidate, why] of candidates) {
    const did = candidate === undefined ? undefined : canonical(candidate);
    if (did !== undefined && !dids.has(did)) dids.set(did, why);
  }
  return [...dids].map(([did, why]) => ({ did, why }));
}

function canonical(text: string): string | undefined {
  try {
    return normalizeDid(text);
  } catch (error) {
    if (error instanceof InvalidDidError) return undefined;
    throw error;
  }
}
