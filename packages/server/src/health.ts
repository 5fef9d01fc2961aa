import { z } from "zod";

const statusByProblem = {
  "chain-unavailable": "down",
  "chain-mismatch": "down",
  "contracts-missing": "down",
  "database-unavailable": "down",
  "issuer-not-authorised": "down",
  "index-of-another-chain": "down",
  "index-of-another-deployment": "down",
  "index-unavailable": "degraded",
  "index-building": "degraded",
  "index-behind": "degraded",
  "index-ahead": "degraded",
  "issuer-retired": "degraded",
  "issuer-unavailable": "degraded",
  "issuer-out-of-funds": "degraded",
  "issuer-funds-low": "degraded",
  "revalidation-behind": "degraded",
} as const;

export type HealthProblemCode = keyof typeof statusByProblem;

export type HealthProblem = { code: HealthProblemCode; message: string };

const codes = Object.keys(statusByProblem) as [HealthProblemCode, ...HealthProblemCode[]];

const partSchema = z.object({
  reachable: z.boolean(),
  block: z.int().nullable().describe("Latest known block; null if unreachable."),
});

const indexerSchema = partSchema.extend({
  building: z
    .boolean()
    .describe(
      "True while past blocks are being indexed up to `block`. No search is answered until it reaches the chain's latest block.",
    ),
  lag: z.int().nonnegative().nullable().describe("Number of blocks not indexed yet."),
});

const fundsSchema = z.object({
  address: z.string(),
  balance: z.string().describe("Wei, in decimal."),
  attestationsLeft: z.int().describe("Attestations the balance can pay for at the current gas price."),
  low: z.boolean().describe("Whether this is below the operator's warning threshold."),
  empty: z.boolean().describe("Whether the balance can't pay for any attestation."),
  openTransactions: z.int().describe("Transactions that were sent and are not mined."),
  stuckTransactions: z.int().describe("Of these, how many were not mined within a minute."),
  spent: z.string().describe("Amount currently counted against `spendingCap`, in wei (decimal)."),
  spendingCap: z.string().describe("Hourly spending limit, in wei (decimal)."),
});

/** Numbers of attestations, each at most 10,000: more are not counted. */
const revalidationSchema = z.object({
  attestations: z.int().describe("Attestations tracked for this issuer, at most 10,000."),
  due: z.int().describe("Due for a check now."),
  overdue: z.int().describe("Overdue by more than a day."),
  failing: z.int().describe("Failed their last completed check and will be retried."),
  unanswered: z.int().describe("Got no response at their last check."),
  unknownDids: z.int().describe("Can't be checked because only the DID's hash is known."),
});

/** Schema of the response of GET /api/health. */
export const healthSchema = z.object({
  status: z
    .enum(["ok", "degraded", "down"])
    .describe(
      "Most severe effect of `problems`, or ok if there are none. down returns HTTP 503; the others return 200.",
    ),
  problems: z
    .array(z.object({ code: z.enum(codes), message: z.string() }))
    .describe("Why the status is not ok. Codes are stable; messages are for people."),
  chain: partSchema.extend({ chainId: z.int().describe("The deployment's.") }),
  database: z.object({ reachable: z.boolean() }),
  indexer: indexerSchema,
  issuer: z.object({
    configured: z.boolean(),
    authorised: z
      .boolean()
      .nullable()
      .describe(
        "Whether the issuer may attest now; null without an issuer or while the chain is unreachable.",
      ),
    mode: z
      .enum(["send", "sign"])
      .nullable()
      .describe("Who sends attestations: the issuer, or the publisher."),
    funds: fundsSchema
      .nullable()
      .describe("null for an issuer that signs only, and while the chain or the database is unavailable."),
    revalidation: revalidationSchema
      .nullable()
      .describe(
        "null where attestations are not checked again, and while the chain or the database is unavailable.",
      ),
  }),
});

export type Health = z.output<typeof healthSchema>;

/** Returns the worst status of several problems. */
export function getHealthStatus(problems: readonly HealthProblem[]): Health["status"] {
  const found = problems.map(({ code }) => statusByProblem[code]);
  if (found.includes("down")) return "down";
  return found.length > 0 ? "degraded" : "ok";
}

/** Creates the HTTP response. A load balancer removes a server that responds with 503. */
export function healthResponse(health: Health): Response {
  const status = health.status === "down" ? 503 : 200;
  return Response.json(health, { status, headers: { "cache-control": "no-store" } });
}
