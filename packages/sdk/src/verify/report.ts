import * as z from "zod/mini";
import { countSchema, described } from "../schemas.ts";
import { outcomeSchema } from "../search/searchResult.ts";

/**
 * Fact of a report. `unknown` means that a host or an RPC did not respond, or that nobody has checked. It is
 * neither a pass nor a fail.
 */
export const factSchema = z.object({
  outcome: outcomeSchema,
  reason: described(z.string(), "Explanation in one or two sentences."),
  evidence: described(
    z.record(z.string(), z.unknown()),
    "Evidence for the outcome, as JSON values. Times are in Unix seconds.",
  ),
});

export type Fact = z.output<typeof factSchema>;

const stepNames = ["fetch", "canonicalize", "hash", "compare", "attestation"] as const;

/** Step of the dataHash verification. */
export const stepSchema = z.object({
  step: z.enum(stepNames),
  outcome: outcomeSchema,
  reason: z.string(),
});

export type Step = z.output<typeof stepSchema>;

const problemSchema = z.object({
  pointer: described(z.string(), "JSON Pointer (RFC 6901) into the document."),
  code: described(z.string(), "Stable rule name."),
  message: z.string(),
});

/** Schema of the report that `verifyApp` returns. Every value is JSON. */
export const verificationReportSchema = z.object({
  did: described(z.string(), "The canonical DID."),
  version: described(
    z.nullable(z.string()),
    "The version that was checked, major.minor.patch; null when none was found.",
  ),
  tokenId: described(z.nullable(z.string()), "Decimal; null when no record was found."),
  checkedAt: described(countSchema, "Unix seconds, by the verifying machine's clock."),
  blockNumber: described(
    z.nullable(countSchema),
    "Block number at which the chain was read; null if it couldn't be reached.",
  ),
  facts: z.object({
    record: described(factSchema, "The record exists and is Active."),
    control: described(factSchema, "The holder or the minter is a current controller of the DID."),
    content: described(factSchema, "The document matches the record's dataHash."),
    attested: described(factSchema, "At least one issuer has a live attestation of that dataHash."),
    origin: described(
      factSchema,
      "All addresses used to reach the service lead to the DID's host, site or path, or to a host that the same controller controls.",
    ),
    live: z.exactOptional(
      described(
        factSchema,
        "The service responds and matches the registered version. Omitted if it was not checked.",
      ),
    ),
  }),
  notes: described(
    z.nullable(z.array(problemSchema)),
    "Notes for the publisher: required fields that the document lacks, and traits that differ from the record. Null if the document couldn't be read.",
  ),
  steps: described(z.array(stepSchema), "The dataHash verification, step by step."),
});

export type VerificationReport = z.output<typeof verificationReportSchema>;
