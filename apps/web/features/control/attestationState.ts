import type { Attestation, IssuerState } from "@app-registry/sdk";

/** Seconds in which an attestation that had settled can be renewed without loss after it expired (resolver: `GRACE`). */
export const GRACE = 7 * 24 * 3_600;

/** An attestation in words. Times are Unix seconds. */
export interface AttestationState {
  word: "Settled" | "Settling" | "Never settles" | "Late" | "Expired" | "Ended" | "Void" | "Revoked";
  /** Why it is void. */
  note?: string;
  dates: { term: string; at: number }[];
}

type Described = Omit<Attestation, "vouched">;

/** Says how an issuer's attestation stands: while it counts, until when it does; after that, since when it does not. */
export function attestationState(attestation: Described, issuer: IssuerState | undefined): AttestationState {
  const { startedAt, statedAt, settlesAt, expiresAt, endedAt, live, settled, held } = attestation;
  const expiry = { term: live ? "expires" : "expired", at: expiresAt };
  if (startedAt === 0) {
    const since = issuer?.distrustedSince;
    if (since === undefined) return { word: "Revoked", dates: [{ term: "on", at: statedAt }] };
    const dates = since === 0 ? [] : [{ term: "since", at: since }];
    return { word: "Void", note: "its issuer is distrusted", dates };
  }
  const began = { term: "began", at: startedAt };
  if (endedAt !== undefined && endedAt <= expiresAt) {
    return { word: "Ended", dates: [began, { term: "ended", at: endedAt }] };
  }
  if (held && !live) {
    return { word: "Late", dates: [began, expiry, { term: "can be renewed until", at: expiresAt + GRACE }] };
  }
  if (!live) return { word: "Expired", dates: [began, expiry] };
  if (settled) return { word: "Settled", dates: [began, expiry] };
  if (settlesAt === undefined || settlesAt >= expiresAt)
    return { word: "Never settles", dates: [began, expiry] };
  return { word: "Settling", dates: [began, { term: "settles", at: settlesAt }, expiry] };
}
