import { vi } from "vitest";
import { patience } from "./vitestProjects.ts";

/** Checks until nothing is thrown. */
export const eventually = <Value>(check: () => Value | Promise<Value>): Promise<Value> =>
  vi.waitFor(check, { ...patience.expect.poll, interval: 50 });
