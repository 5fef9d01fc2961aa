import { DAY, NEVER } from "./runs.ts";

export const SEATS = 16;
const SEAT_REST = 90 * DAY;

export interface Issuer {
  address: string;
  addedAt: number;
  /** When it retired or was first distrusted, and the latest expiry that it could have written until then. */
  stoppedAt: number;
  lastExpiry: number;
  /** NEVER unless it is distrusted. */
  distrustedSince: number;
}

/** Who may state what, and who sits where. */
export class Issuers {
  readonly all: Issuer[] = [];
  /** What each seat's issuer is; an issuer without a seat is not read any more. */
  readonly seats: (Issuer | undefined)[] = Array.from({ length: SEATS }, () => undefined);
  /** What an attestation from before a lowering of the maximum lifetime may still have. */
  readonly lowerings: { at: number; from: number }[] = [];

  find = (address: string) => this.all.find((issuer) => issuer.address === address);
  isActive = (address: string) => this.find(address)?.stoppedAt === NEVER;
  mayRevoke = (address: string) => this.find(address)?.distrustedSince === NEVER;
  seated = () => this.seats.filter((issuer) => issuer !== undefined);

  seatFreeAt(issuer: Issuer): number {
    if (issuer.stoppedAt === NEVER) return NEVER;
    return issuer.distrustedSince === 0 ? 0 : issuer.lastExpiry + SEAT_REST;
  }

  add(address: string, now: number): string[] {
    if (this.find(address)) return ["IssuerKnown"];
    const isFree = (issuer: Issuer | undefined) => issuer === undefined || this.seatFreeAt(issuer) <= now;
    const free = this.seats.filter(isFree).length;
    const anyActive = this.seats.some((issuer) => issuer?.stoppedAt === NEVER);
    if (free === 0 || (free === 1 && anyActive)) return ["NoFreeSeat"];
    const issuer = { address, addedAt: now, stoppedAt: NEVER, lastExpiry: NEVER, distrustedSince: NEVER };
    this.all.push(issuer);
    this.seats[this.seats.findIndex(isFree)] = issuer;
    return [];
  }

  retire(address: string, now: number, maxTTL: number): string[] {
    const issuer = this.find(address);
    if (issuer?.stoppedAt !== NEVER) return ["NotIssuer"];
    this.stop(issuer, now, maxTTL);
    return [];
  }

  distrust(address: string, since: number, now: number, maxTTL: number): string[] {
    const issuer = this.find(address);
    if (!issuer) return ["NotIssuer"];
    if (since > now || since >= issuer.distrustedSince) return ["InvalidDistrust"];
    if (issuer.stoppedAt === NEVER) this.stop(issuer, now, maxTTL);
    issuer.distrustedSince = since;
    return [];
  }

  private stop(issuer: Issuer, now: number, maxTTL: number): void {
    issuer.stoppedAt = now;
    issuer.lastExpiry = Math.max(now + maxTTL, ...this.lowerings.map(({ at, from }) => at + from));
  }
}
