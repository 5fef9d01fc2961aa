import { getDomain } from "tldts";

/** Returns the site of a host according to the public suffix list, like `@app-registry/outbound/site`. */
export const getSite = (host: string): string | null => getDomain(host, { allowPrivateDomains: true });
