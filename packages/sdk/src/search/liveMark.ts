import * as z from "zod/mini";
import { countSchema } from "../schemas.ts";

/**
 * What came of asking an endpoint, from the best to the worst. `gated`: it runs, and wants credentials or payment (401,
 * 402, 403). `failing`: it runs, and can't answer. `other-protocol`: something else is at the address. `unreachable`:
 * nothing is. `unknown`: it was not asked, because that is not allowed or there is no way to.
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

/** How what a service offers compares with what is registered. */
export const driftSchema = z.enum(["same", "changed", "not-comparable"]);

export type Drift = z.output<typeof driftSchema>;

/** What the registry was served when it last asked a record's service. Times are Unix seconds; null: never. */
export const liveStatusSchema = z.object({
  outcome: liveOutcomeSchema,
  drift: driftSchema,
  probedAt: countSchema,
  answeredAt: z.nullable(countSchema),
});

export type LiveStatus = z.output<typeof liveStatusSchema>;
