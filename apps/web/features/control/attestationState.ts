import { type Attestation, type IssuerState, RENEWAL_GRACE_SECONDS } from "@app-registry/sdk";

/** Attestation state in words. Times are in Unix seconds. */
interface AttestationState {
  word:
    | "Matured"
    | "Waiting"
    | "Expires before maturing"
    | "Renewal overdue"
    | "Expired"
    | "Ended"
    | "Void"
    | "Revoked";
  /** Reason an attestation is void. */
  note?: string;
  dates: { term: string; at: number }[];
}

/** Describes the state of an issuer's attestation with its relevant dates. */
export function attestationState(
  attestation: Attestation,
  issuer: IssuerState | undefined,
): AttestationState {
  const { startedAt, statedAt, maturesAt, expiresAt, endedAt, live, matured, overdue } = attestation;
  const expiry = { term: live ? "expires" : "expired", at: expiresAt };
  if (startedAt === 0) {
    const since = issuer?.distrustedSince;
    if (since === undefined) return { word: "Revoked", dates: [{ term: "on", at: statedAt }] };
    const dates = since === 0 ? [] : [{ term: "since", at: since }];
    return { word: "Void", note: "the issuer is distrusted", dates };
  }
  const began = { term: "began", at: startedAt };
  if (endedAt !== undefined && endedAt <= expiresAt) {
    return { word: "Ended", dates: [began, { term: "ended", at: endedAt }] };
  }
  if (overdue) {
    return {
      word: "Renewal overdue",
      dates: [began, expiry, { term: "renew by", at: expiresAt + RENEWAL_GRACE_SECONDS }],
    };
  }
  if (!live) return { word: "Expired", dates: [began, expiry] };
  if (matured) return { word: "Matured", dates: [began, expiry] };
  if (maturesAt >= expiresAt) return { word: "Expires before maturing", dates: [began, expiry] };
  return { word: "Waiting", dates: [began, { term: "matures", at: maturesAt }, expiry] };
}

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

const amount = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? "" : "s"}`;

/** Returns the relative time: "in 1 day 22 hours", "3 days ago", "in less than a minute". */
export function relativeTime(seconds: number, now: number): string {
  const text = durationText(Math.abs(seconds - now));
  return seconds > now ? `in ${text}` : `${text} ago`;
}

/** Returns a duration in its two largest units, rounded down: "1 day 22 hours". */
export function durationText(seconds: number): string {
  let left = seconds;
  const parts = units.map(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return { unit, count };
  });
  const first = parts.findIndex(({ count }) => count > 0);
  if (first === -1) return "less than a minute";
  return parts
    .slice(first, first + 2)
    .filter(({ count }) => count > 0)
    .map(({ unit, count }) => amount(count, unit))
    .join(" ");
}
