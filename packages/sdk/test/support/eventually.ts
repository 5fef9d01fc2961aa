import { vi } from "vitest";

/** Checks until nothing is thrown. A machine that does other work at the same time is slow, not wrong. */
export const eventually = <Value>(check: () => Value | Promise<Value>): Promise<Value> =>
  vi.waitFor(check, { timeout: 120_000, interval: 50 });
