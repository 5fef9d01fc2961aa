import { vi } from "vitest";
import { patience } from "./vitestProjects.ts";

/** Runs a check until it throws no error, and returns its result. */
export const eventually = <Value>(check: () => Value | Promise<Value>): Promise<Value> =>
  vi.waitFor(check, { ...patience.expect.poll, interval: 50 });
