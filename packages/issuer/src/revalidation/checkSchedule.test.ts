import { getRenewalTime } from "@app-registry/sdk/internal";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  CONFIRMATION_DELAY,
  scheduleAfterNoResponse,
  scheduleAfterSuccess,
  scheduleConfirmation,
  scheduleFirstCheck,
} from "./checkSchedule.ts";

const hour = 3_600_000;
const day = 24 * hour;
const now = 1_800_000_000_000;
/** Lifetimes that the resolver allows, from a day to ten years. */
const clocks = fc.record({
  now: fc.constant(now),
  period: fc.integer({ min: 1, max: 365 }).map((days) => days * day),
  lifetime: fc.integer({ min: 1, max: 3_650 }).map((days) => days * day),
});

describe("the time of the next check", () => {
  it("is within 95 % of the period after a successful check", () => {
    fc.assert(
      fc.property(clocks, fc.double({ min: 0, max: 1, noNaN: true }), (clock, left) => {
        const next = scheduleAfterSuccess(now + left * clock.lifetime, clock);
        expect(next).toBeGreaterThan(now);
        expect(next).toBeLessThanOrEqual(now + 0.95 * clock.period);
        expect(Number.isInteger(next)).toBe(true);
      }),
    );
  });

  it("is at the latest halfway through the renewal window", () => {
    fc.assert(
      fc.property(clocks, fc.double({ min: 0.26, max: 1, noNaN: true }), (clock, left) => {
        const expiresAt = now + left * clock.lifetime;
        const next = scheduleAfterSuccess(expiresAt, clock);
        expect(next).toBeLessThanOrEqual(getRenewalTime(expiresAt, clock.lifetime) + clock.lifetime / 8 + 1);
      }),
    );
  });

  it("is spread over a day for checks that became due while no process ran", () => {
    const clock = { now, period: 30 * day, lifetime: 365 * day };
    const times = Array.from({ length: 10_000 }, () =>
      scheduleFirstCheck(now - 60 * day, now + 200 * day, clock),
    );
    expect(Math.max(...times)).toBeLessThanOrEqual(now + day);
    const inEachHour = Array.from(
      { length: 24 },
      (_, index) => times.filter((time) => Math.floor((time - now) / hour) === index).length,
    );
    // The average is 417. Fewer than 250 or more than 600 would be practically impossible.
    expect(Math.min(...inEachHour)).toBeGreaterThan(250);
    expect(Math.max(...inEachHour)).toBeLessThan(600);
  });

  it("is well before expiry for an attestation with a lifetime so short that it is renewed immediately", () => {
    fc.assert(
      fc.property(clocks, fc.double({ min: 0.001, max: 0.24, noNaN: true }), (clock, left) => {
        const expiresAt = now + left * clock.lifetime;
        const next = scheduleFirstCheck(now, expiresAt, clock);
        expect(next).toBeGreaterThanOrEqual(now);
        expect(next).toBeLessThanOrEqual(Math.min(now + day, (now + expiresAt) / 2 + 1));
      }),
    );
  });

  it("is in time to renew an attestation that expired while no process ran", () => {
    fc.assert(
      fc.property(clocks, fc.double({ min: 0, max: 6.999, noNaN: true }), (clock, daysAgo) => {
        const expiresAt = now - daysAgo * day;
        const next = scheduleFirstCheck(expiresAt - clock.lifetime, expiresAt, clock);
        expect(next).toBeGreaterThanOrEqual(now);
        expect(next).toBeLessThanOrEqual(Math.min(now + day, (now + expiresAt + 7 * day) / 2 + 1));
      }),
    );
  });

  it("is the same after a recent attestation as after a check", () => {
    const clock = { now, period: 30 * day, lifetime: 365 * day };
    const next = scheduleFirstCheck(now - day, now + 364 * day, clock);
    expect(next).toBeGreaterThanOrEqual(now - day + 0.75 * clock.period);
    expect(next).toBeLessThanOrEqual(now - day + 0.95 * clock.period);
  });

  it("is at least an hour after a first failure", () => {
    for (let tries = 0; tries < 100; tries++) {
      expect(scheduleConfirmation(now)).toBeGreaterThanOrEqual(now + CONFIRMATION_DELAY);
      expect(scheduleConfirmation(now)).toBeLessThanOrEqual(now + CONFIRMATION_DELAY + hour / 6);
    }
  });

  it("is after a doubling delay of up to two days for a host that does not respond", () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 100].map(
      (unanswered) => scheduleAfterNoResponse(unanswered, now) - now,
    );
    for (const [index, longest] of [1, 2, 4, 8, 16, 32, 48, 48].entries()) {
      expect(waits[index]).toBeLessThanOrEqual(longest * hour);
      expect(waits[index]).toBeGreaterThanOrEqual(0.75 * longest * hour);
    }
  });
});
