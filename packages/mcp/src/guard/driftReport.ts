import { printable } from "@app-registry/outbound/internal";
import type { AllowedCapabilities, DriftMode } from "./allowedCapabilities.ts";

/** Maximum number of lines to show of a difference, and in a minute. */
const MAX_NOTES = 100;

const MINUTE_MS = 60_000;

/**
 * Creates a function that reports differences between a server's lists and the registered version. Reports each state
 * once, and at most 100 lines in a minute: a server can return another list at each request.
 */
export function createDriftReport(options: {
  did: string;
  onDrift: DriftMode;
  note: (line: string) => void;
  /** Returns the current time, in milliseconds. */
  now: () => number;
}) {
  const { did, onDrift, note, now } = options;
  let reported = "";
  let left = MAX_NOTES;
  let beganAt = now();

  return (version: string, differences: AllowedCapabilities["differences"]): void => {
    if (onDrift === "allow") return;
    if (now() - beganAt >= MINUTE_MS) {
      beganAt = now();
      left = MAX_NOTES;
    }
    const lines = differences.flatMap(({ kind, name, reason, diff }) => [
      `  ${kind} ${printable(name)} ${reason}`,
      ...diff.map((line) => `    ${printable(line, 400)}`),
    ]);
    const drift = lines.join("\n");
    if (drift === reported || left === 0) return;
    reported = drift;
    const what = onDrift === "block" ? "Blocked from" : "Different from the registered version, from";
    const head = drift === "" ? `${did} matches the registered version again.` : `${what} ${did} ${version}:`;
    const shown = [head, ...lines].slice(0, left);
    shown.forEach(note);
    left -= shown.length;
    if (shown.length <= lines.length) note(`  … and ${lines.length + 1 - shown.length} more lines`);
    else if (left === 0) note("  … and no more lines for a minute");
  };
}
