import type { Outcome, VerificationReport } from "@app-registry/sdk";

/**
 * Returns true if a host or the chain did not respond, so that another check may help. Ignores *live*, which has its
 * own schedule.
 */
export const isIncomplete = ({ live: _, ...facts }: VerificationReport["facts"]): boolean =>
  Object.values(facts).some(
    ({ outcome, evidence }) => outcome === "unknown" || "lastKnownAtBlock" in evidence,
  );

/**
 * Appearance of services in the formats of others, by the outcome of *control*: whether a catalog under the DID's host may
 * list them, and their status in the MCP registry's API, with the message for its readers.
 */
export const outwardStates: Record<
  Outcome,
  { isListed: boolean; mcpStatus: "active" | "deprecated"; message?: string }
> = {
  pass: { isListed: true, mcpStatus: "active" },
  unknown: { isListed: false, mcpStatus: "active" },
  fail: {
    isListed: false,
    mcpStatus: "deprecated",
    message: "No controller of the DID stands behind this record: control is not currently proven.",
  },
};

/** Word for each outcome. */
export const outcomeWords: Record<Outcome, string> = { pass: "Pass", fail: "Fail", unknown: "Unknown" };

/**
 * Shape of each outcome in a box of 16 × 16, so that color is not the only difference: a filled disc, a crossed diamond
 * and a hollow ring. The line has the color of the background over a solid part, and the mark's own color otherwise.
 */
export const markShapes: Record<Outcome, { solid?: string; line: string }> = {
  pass: { solid: "M8 1a7 7 0 1 0 0 14a7 7 0 1 0 0-14z", line: "M4.8 8.3l2.2 2.2 4.3-4.8" },
  fail: { solid: "M8 .6L15.4 8 8 15.4.6 8z", line: "M5.8 5.8l4.4 4.4m0-4.4l-4.4 4.4" },
  unknown: { line: "M8 1.8a6.2 6.2 0 1 0 0 12.4a6.2 6.2 0 1 0 0-12.4zM5.4 8h5.2" },
};
