/** When an attestation expires, Unix seconds; default the longest lifetime that the resolver allows. */
export type Expiry = { expiresAt?: number | undefined };

export const toExpiresAt = ({ expiresAt = 0 }: Expiry): bigint => BigInt(expiresAt);

/** The contracts' value for a time that never comes. */
const NEVER = 2n ** 40n - 1n;

/** A time of the contracts in Unix seconds; undefined for what never happened or never will. */
export const toTime = (time: bigint): number | undefined =>
  time === 0n || time >= NEVER ? undefined : Number(time);
