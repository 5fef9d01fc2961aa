import type { Address } from "viem";

/** Path of the page about one account's control of a DID. A colon stands as it is in a query (RFC 3986, 3.4). */
export const controlHref = (did: string, account: Address): string =>
  `/control?did=${encodeURIComponent(did).replaceAll("%3A", ":")}&account=${account}`;
