import type { Issuer } from "@app-registry/sdk/issuer";
import { z } from "zod";
import { askIndexer, readAnswer } from "./askIndexer.ts";
import type { Registry } from "./registry.ts";

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
  openTransactions: z.int().describe("Transactions that were sent and are not mined."),
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
    .describe(
      "degraded: the index is away or being built, and search is answered from the chain. down: the chain is away.",
    ),
  chain: partSchema.extend({ chainId: z.int() }),
  indexer: indexerSchema,
  issuer: z.object({
    configured: z.boolean(),
    mode: z
      .enum(["send", "sign"])
      .nullable()
      .describe("Who sends attestations: the issuer, or the publisher."),
    funds: fundsSchema
      .nullable()
      .describe("null for an issuer that signs only, and while the chain is away."),
    revalidation: revalidationSchema
      .nullable()
      .describe(
        "null where attestations are not checked again, and while the chain or the database is away.",
      ),
  }),
});

export type Health = z.output<typeof healthSchema>;

/** Milliseconds; who asks for health wants to know soon. */
const TIMEOUT = 3_000;

/** Asks the chain and the index for their latest block, and the issuer for its funds and its attestations. */
export async function checkHealth(
  { environment, publicClient, deployment }: Registry,
  issuer: () => Promise<Issuer>,
): Promise<Health> {
  const configured = environment.issuerPrivateKey !== undefined;
  const revalidates = configured && environment.issuerRevalidationPeriod !== undefined;
  const sends = configured && environment.issuerMode === "send";
  const inTimeOrNull = <T>(read: (issuer: Issuer) => Promise<T>) =>
    inTime(issuer().then(read)).catch(() => null);
  const [chain, indexer, funds, revalidation] = await Promise.all([
    blockInTime(publicClient.getBlockNumber({ cacheTime: 0 }).then(Number)),
    readIndexer(environment.indexerUrls),
    sends ? inTimeOrNull(readFunds) : null,
    revalidates ? inTimeOrNull(async (current) => (await current.revalidation?.count()) ?? null) : null,
  ]);
  const isIndexed = indexer.reachable && !indexer.building;
  const lag =
    chain.block === null || indexer.block === null ? null : Math.max(0, chain.block - indexer.block);
  return {
    status: !chain.reachable ? "down" : isIndexed ? "ok" : "degraded",
    chain: { ...chain, chainId: deployment.chainId },
    indexer: { ...indexer, lag },
    issuer: { configured, mode: configured ? environment.issuerMode : null, funds, revalidation },
  };
}

async function blockInTime(read: Promise<number>): Promise<z.output<typeof partSchema>> {
  try {
    return { reachable: true, block: await inTime(read) };
  } catch {
    return { reachable: false, block: null };
  }
}

async function inTime<T>(read: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer in time")), TIMEOUT);
  });
  return Promise.race([read, late]).finally(() => clearTimeout(timer));
}

async function readFunds(issuer: Issuer): Promise<z.output<typeof fundsSchema> | null> {
  const funds = await issuer.readFunds();
  if (!funds) return null;
  const { balance, attestationsLeft, low, openTransactions } = funds;
  return { address: issuer.address, balance: String(balance), attestationsLeft, low, openTransactions };
}

async function readIndexer(indexerUrls: readonly string[]) {
  const answer = await askIndexer(indexerUrls, "/search?limit=1", TIMEOUT);
  const body: unknown = answer && readAnswer(answer);
  const page = z.object({ block: z.int() }).safeParse(body);
  const building =
    answer?.status === 503 && z.object({ code: z.literal("not-ready") }).safeParse(body).success;
  const reachable = building || (answer?.status === 200 && page.success);
  return { reachable, block: reachable && page.success ? page.data.block : null, building };
}
