import * as z from "zod/mini";
import { countSchema } from "../schemas.ts";

/**
 * Outcomes of checking an endpoint, from the best to the worst.
 *
 * - `answers`: it responds
 * - `gated`: it responds and requires credentials or payment (401, 402, 403)
 * - `failing`: it responds with an error
 * - `other-protocol`: another service responds at the address
 * - `unreachable`: no response
 * - `unknown`: not checked, because the check is not allowed or not possible
 */
export const liveOutcomes = [
  "answers",
  "gated",
  "failing",
  "other-protocol",
  "unreachable",
  "unknown",
] as const;

export const liveOutcomeSchema = z.enum(liveOutcomes);

export type LiveOutcome = z.output<typeof liveOutcomeSchema>;

/** Comparison of the capabilities of a service with the registered version. */
export const driftSchema = z.enum(["same", "changed", "not-comparable"]);

export type Drift = z.output<typeof driftSchema>;

/** Result of the registry's last live check of a record. Times are Unix seconds; null if never. */
export const liveStatusSchema = z.object({
  outcome: liveOutcomeSchema,
  drift: driftSchema,
  probedAt: countSchema,
  answeredAt: z.nullable(countSchema),
});

export type LiveStatus = z.output<typeof liveStatusSchema>;
