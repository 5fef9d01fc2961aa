import * as z from "zod";
import { outcomeSchema } from "../search/searchResult.ts";

/**
 * One checked statement. `unknown` means that a host or an RPC did not answer, or that there was nothing to check:
 * it is neither a pass nor a fail.
 */
export const factSchema = z.object({
  outcome: outcomeSchema,
  reason: z.string().describe("One or two sentences."),
  evidence: z
    .record(z.string(), z.unknown())
    .describe("What the outcome rests on; JSON values, times in Unix seconds."),
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

/** What `verifyApp` found out. Every value is JSON. */
export const verificationReportSchema = z.object({
  did: z.string().describe("Canonical DID."),
  version: z
    .string()
    .nullable()
    .describe("The version that was checked, major.minor.patch; null when none was found."),
  tokenId: z.string().nullable().describe("Decimal; null when no record was found."),
  checkedAt: z.int().nonnegative().describe("Unix seconds, by the clock of the checking machine."),
  blockNumber: z
    .int()
    .nonnegative()
    .nullable()
    .describe("The block at which the chain was read; null without an answer."),
  facts: z.object({
    record: factSchema.describe("The record exists; its status."),
    control: factSchema.describe("The holder or the minter counts as a controller of the DID now."),
    content: factSchema.describe("The document hashes to the record's dataHash."),
    attested: factSchema.describe("An issuer's live attestation of that dataHash exists."),
    requirements: factSchema.describe(
      "The document holds what its interfaces require, and its traits are the record's.",
    ),
  }),
  steps: z.array(stepSchema).describe("The dataHash verification, step by step."),
});

export type VerificationReport = z.output<typeof verificationReportSchema>;
