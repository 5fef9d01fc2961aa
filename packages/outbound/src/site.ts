import { getDomain } from "tldts";

/**
 * Returns the site of a host: its registrable domain by the public suffix list. Includes the private section of the
 * list, so that each tenant of `github.io` is a separate site.
 *
 * @returns The site, or `null` for an IP address and for a host that is a public suffix itself.
 * @example
 * getSite("api.example.co.uk"); // "example.co.uk"
 */
export const getSite = (host: string): string | null => getDomain(host, { allowPrivateDomains: true });
