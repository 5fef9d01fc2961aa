import { getDomain } from "tldts";

/**
 * The site of a host: its registrable domain by the public suffix list. The list's private section counts too, so
 * that each tenant of `github.io` is a site of its own.
 *
 * @returns null for an IP address and for a host that is a public suffix itself.
 * @example
 * getSite("api.example.co.uk"); // "example.co.uk"
 */
export const getSite = (host: string): string | null => getDomain(host, { allowPrivateDomains: true });
