import * as z from "zod/mini";
import { countSchema, described } from "../schemas.ts";
import { outcomeSchema } from "../search/searchResult.ts";

/**
 * One checked statement. `unknown` means that a host or an RPC didn't answer, or that there was nothing to check: it is
 * neither a pass nor a fail.
 */
export const factSchema = z.object({
  outcome: outcomeSchema,
  reason: described(z.string(), "One or two sentences."),
  evidence: described(
    z.record(z.string(), z.unknown()),
    "What the outcome rests on; JSON values, times in Unix seconds.",
  ),
});

export type Fact = z.output<typeof factSchema>;

/** The steps of the dataHash verification, in order. */
const stepNames = ["fetch", "canonicalize", "hash", "compare", "attestation"] as const;

/** One step of the dataHash verification. */
export const stepSchema = z.object({
  step: z.enum(stepNames),
  outcome: outcomeSchema,
  reason: z.string(),
});

export type Step = z.output<typeof stepSchema>;

/** Something that the publisher should mend. */
const problemSchema = z.object({
  pointer: described(z.string(), "JSON Pointer (RFC 6901) into the document."),
  code: described(z.string(), "Stable name of the rule."),
  message: z.string(),
});

/** What `verifyApp` found out. Every value is JSON. */
export const verificationReportSchema = z.object({
  did: described(z.string(), "Canonical DID."),
  version: described(
    z.nullable(z.string()),
    "The version that was checked, major.minor.patch; null when none was found.",
  ),
  tokenId: described(z.nullable(z.string()), "Decimal; null when no record was found."),
  checkedAt: described(countSchema, "Unix seconds, by the clock of the checking machine."),
  blockNumber: described(
    z.nullable(countSchema),
    "The block at which the chain was read; null without an answer.",
  ),
  facts: z.object({
    record: described(factSchema, "The record exists; its status."),
    control: described(factSchema, "The holder or the minter counts as a controller of the DID now."),
    content: described(factSchema, "The document hashes to the record's dataHash."),
    attested: described(factSchema, "An issuer's live attestation of that dataHash exists."),
    origin: described(
      factSchema,
      "The addresses at which the service is used lead to the DID's host, site or path, or to a host of the same controller.",
    ),
    live: z.exactOptional(
      described(
        factSchema,
        "The service answers and offers what is registered; left out when it was not asked.",
      ),
    ),
  }),
  notes: described(
    z.nullable(z.array(problemSchema)),
    "For the publisher: what the interfaces require and the document lacks, and traits that are not the record's. Null when the document could not be read.",
  ),
  steps: described(z.array(stepSchema), "The dataHash verification, step by step."),
});

export type VerificationReport = z.output<typeof verificationReportSchema>;
