/** Expiry of an attestation, in Unix seconds. Default: the longest lifetime that the resolver allows. */
export type Expiry = { expiresAt?: number | undefined };

export const toExpiresAt = ({ expiresAt = 0 }: Expiry): bigint => BigInt(expiresAt);

/** Converts a time of the contracts to Unix seconds. Returns `undefined` for 0, which means no time. */
export const toUnixTime = (time: bigint): number | undefined => (time === 0n ? undefined : Number(time));
