import { InvalidDidError, normalizeDid } from "@app-registry/sdk";
import { getSite } from "../site.ts";
import type { Discovery } from "./finding.ts";

/** Last parts of a path that name what is there, and not whose it is. */
const genericPathSegment = /^(?:mcp|sse|messages?|api|v\d+|a2a|\.well-known|.*\..*)$/i;

/**
 * The DIDs that a service at an address could have, the likeliest first. A host that has no DID, such as an IP address,
 * gives none.
 *
 * @param given The DID that was asked for.
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
