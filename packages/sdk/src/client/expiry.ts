/** When an attestation is to end: Unix seconds; left out, the longest lifetime that the resolver allows. */
export type Expiry = { expiresAt?: number | undefined };

export const toExpiresAt = ({ expiresAt = 0 }: Expiry): bigint => BigInt(expiresAt);
