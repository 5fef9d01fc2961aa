import * as z from "zod/mini";
import { countSchema, described } from "../schemas.ts";

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

/**
 * Result of the index's last fetch of a record's dataUrl.
 *
 * - `served`: the document that matches the record's dataHash
 * - `mismatch`: another document
 * - `not-json`: a text that cannot be canonicalized (RFC 8785)
 * - `not-served`: a response without a document, because of its status, type, encoding or size
 * - `unreachable`: no response, because of the host name, the connection, the certificate or the time limit
 * - `not-allowed`: no request, because dataUrl is not an https URL of a public host
 * - `pending`: not fetched yet
 */
export const documentStateSchema = z.enum([
  "served",
  "mismatch",
  "not-json",
  "not-served",
  "unreachable",
  "not-allowed",
  "pending",
]);

export type DocumentState = z.output<typeof documentStateSchema>;

/** Source of the labels of a search result, and the state of its dataUrl. */
export const documentStatusSchema = z.object({
  source: described(
    z.nullable(z.enum(["chain", "dataUrl"])),
    "Where the labels come from: the JSON on the chain, or the dataUrl document that matches the " +
      "dataHash; null if there are none.",
  ),
  state: described(
    z.optional(documentStateSchema),
    "Result of the last fetch of dataUrl: served (matches the record), mismatch (a different document), " +
      "not-json, not-served (response without a document), unreachable, not-allowed (not a public https URL) or " +
      "pending. Absent when the JSON is on the chain.",
  ),
  reason: described(z.optional(z.string()), "Why the document isn't available."),
  checkedAt: described(z.optional(countSchema), "When dataUrl was last fetched, Unix seconds."),
});
