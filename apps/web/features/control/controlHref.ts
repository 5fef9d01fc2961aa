import type { Address } from "viem";

/** Path of the page about one account's control of a DID. */
export const controlHref = (did: string, account: Address): string =>
  `/control?${new URLSearchParams({ did, account })}`;
