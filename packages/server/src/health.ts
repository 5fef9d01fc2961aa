import { z } from "zod";

/** What each problem makes of a server. */
const effects = {
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

export type HealthProblemCode = keyof typeof effects;

export type HealthProblem = { code: HealthProblemCode; message: string };

const codes = Object.keys(effects) as [HealthProblemCode, ...HealthProblemCode[]];

const partSchema = z.object({
  reachable: z.boolean(),
  block: z.int().nullable().describe("The latest block that it knows; null without an answer."),
});

const indexerSchema = partSchema.extend({
  building: z
    .boolean()
    .describe(
      "It indexes the past up to `block`, and answers no search before it has the chain's last block.",
    ),
  lag: z.int().nonnegative().nullable().describe("Blocks of the chain that it does not have yet."),
});

const fundsSchema = z.object({
  address: z.string(),
  balance: z.string().describe("Wei, in decimal."),
  attestationsLeft: z.int().describe("Attestations that it pays for at the present price."),
  low: z.boolean().describe("Fewer than the operator wants to be warned at."),
  empty: z.boolean().describe("It pays for none."),
  openTransactions: z.int().describe("Transactions that were sent and are not mined."),
  stuckTransactions: z.int().describe("Of these, how many were not mined within a minute."),
  spent: z.string().describe("What counts against `spendingCap` now, in wei, in decimal."),
  spendingCap: z.string().describe("The most that it spends in an hour, in wei, in decimal."),
});

const revalidationSchema = z.object({
  attestations: z.int().describe("Attestations of this issuer that are remembered."),
  due: z.int().describe("To be checked now."),
  overdue: z.int().describe("Due for more than a day."),
  failing: z.int().describe("Failed their last check that was answered, and are asked again."),
  unanswered: z.int().describe("Had no answer to their last check."),
  unknownDids: z.int().describe("Can't be checked, because the DID behind the hash is not known."),
});

/** Answer of GET /api/health. */
export const healthSchema = z.object({
  status: z
    .enum(["ok", "degraded", "down"])
    .describe("The worst effect of `problems`; ok without any. down is HTTP 503, the others are 200."),
  problems: z
    .array(z.object({ code: z.enum(codes), message: z.string() }))
    .describe("Why the status is not ok; a code is stable, a message is for people."),
  chain: partSchema.extend({ chainId: z.int().describe("The deployment's.") }),
  database: z.object({
    configured: z.boolean(),
    reachable: z.boolean().nullable().describe("null without a database."),
  }),
  indexer: indexerSchema,
  issuer: z.object({
    configured: z.boolean(),
    authorised: z
      .boolean()
      .nullable()
      .describe("Whether it may attest now; null without an issuer, and while the chain is away."),
    mode: z
      .enum(["send", "sign"])
      .nullable()
      .describe("Who sends attestations: the issuer, or the publisher."),
    funds: fundsSchema
      .nullable()
      .describe("null for an issuer that signs only, and while the chain or the database is away."),
    revalidation: revalidationSchema
      .nullable()
      .describe(
        "null where attestations are not checked again, and while the chain or the database is away.",
      ),
  }),
});

export type Health = z.output<typeof healthSchema>;

/** The worst effect of problems. */
export function statusOf(problems: readonly HealthProblem[]): Health["status"] {
  const found = problems.map(({ code }) => effects[code]);
  if (found.includes("down")) return "down";
  return found.length > 0 ? "degraded" : "ok";
}

/** Health as HTTP says it: a balancer takes away what answers 503. */
export function healthResponse(health: Health): Response {
  const status = health.status === "down" ? 503 : 200;
  return Response.json(health, { status, headers: { "cache-control": "no-store" } });
}
