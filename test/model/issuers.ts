import { DAY, GRACE, NEVER } from "./runs.ts";

export const SEATS = 16;

export interface Issuer {
  address: string;
  addedAt: number;
  /** Time at which it retired or was first distrusted. */
  stoppedAt: number;
  firstDistrustedAt: number;
  distrustedSince: number;
}

/** Issuers with their rights and seats. */
export class Issuers {
  readonly all: Issuer[] = [];
  /** Seated issuers. Statements of other issuers are not read. */
  private readonly seats: (Issuer | undefined)[] = Array.from({ length: SEATS }, () => undefined);
  private readonly maxTTL: number;

  constructor(maxTTL: number) {
    this.maxTTL = maxTTL;
  }

  find = (address: string) => this.all.find((issuer) => issuer.address === address);
  isActive = (address: string) => this.find(address)?.stoppedAt === NEVER;
  mayRevoke = (address: string) => this.find(address)?.distrustedSince === NEVER;
  seated = () => this.seats.filter((issuer) => issuer !== undefined);

  /** Returns the time from which another issuer can get its seat. */
  seatFreeAt = ({ distrustedSince, stoppedAt }: Issuer) =>
    distrustedSince === 0 ? 0 : stoppedAt + this.maxTTL + GRACE + DAY;

  add(address: string, now: number): string[] {
    if (this.find(address)) return ["IssuerKnown"];
    const isFree = (issuer: Issuer | undefined) => issuer === undefined || this.seatFreeAt(issuer) <= now;
    const free = this.seats.filter(isFree).length;
    const anyActive = this.all.some((issuer) => issuer.stoppedAt === NEVER);
    if (free === 0 || (free === 1 && anyActive)) return ["NoFreeSeat"];
    const dates = { stoppedAt: NEVER, firstDistrustedAt: NEVER, distrustedSince: NEVER };
    const issuer = { address, addedAt: now, ...dates };
    this.all.push(issuer);
    this.seats[this.seats.findIndex(isFree)] = issuer;
    return [];
  }

  retire(address: string, now: number): string[] {
    const issuer = this.find(address);
    if (issuer?.stoppedAt !== NEVER) return ["NotIssuer"];
    issuer.stoppedAt = now;
    return [];
  }

  distrust(address: string, since: number, now: number): string[] {
    const issuer = this.find(address);
    if (!issuer) return ["NotIssuer"];
    if (since > now || since >= issuer.distrustedSince) return ["InvalidDistrust"];
    issuer.stoppedAt = Math.min(issuer.stoppedAt, now);
    issuer.firstDistrustedAt = Math.min(issuer.firstDistrustedAt, now);
    issuer.distrustedSince = since;
    return [];
  }
}
