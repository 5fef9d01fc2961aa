import { getDomain } from "tldts";

/** The site of a host by the public suffix list, as `@app-registry/outbound/site` tells it. */
export const getSite = (host: string): string | null => getDomain(host, { allowPrivateDomains: true });
