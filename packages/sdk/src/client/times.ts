/** When an attestation is to end: Unix seconds; left out, the longest lifetime that the resolver allows. */
export type Expiry = { expiresAt?: number | undefined };

export const toExpiresAt = ({ expiresAt = 0 }: Expiry): bigint => BigInt(expiresAt);

/** What the contracts record for a time that never comes. */
const NEVER = 2n ** 40n - 1n;

/** A time of the contracts in Unix seconds; undefined for what did not happen and for what never will. */
export const toTime = (time: bigint): number | undefined =>
  time === 0n || time >= NEVER ? undefined : Number(time);
