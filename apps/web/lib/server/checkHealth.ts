import { z } from "zod";
import type { Registry } from "./registry.ts";

const partSchema = z.object({
  reachable: z.boolean(),
  block: z.int().nullable().describe("The latest block that it knows; null without an answer."),
});

/** Answer of GET /api/health. */
export const healthSchema = z.object({
  status: z
    .enum(["ok", "degraded", "down"])
    .describe("degraded: the index is away and search is answered from the chain. down: the chain is away."),
  chain: partSchema.extend({ chainId: z.int() }),
  indexer: partSchema,
  issuer: z.object({ configured: z.boolean() }),
});

export type Health = z.output<typeof healthSchema>;

/** Milliseconds; who asks for health wants to know soon. */
const TIMEOUT = 3_000;

/** Asks the chain and the index for their latest block. */
export async function checkHealth({ environment, publicClient, deployment }: Registry): Promise<Health> {
  const [chain, indexer] = await Promise.all([
    inTime(publicClient.getBlockNumber({ cacheTime: 0 }).then(Number)),
    inTime(indexedBlock(environment.indexerUrl)),
  ]);
  return {
    status: !chain.reachable ? "down" : indexer.reachable ? "ok" : "degraded",
    chain: { ...chain, chainId: deployment.chainId },
    indexer,
    issuer: { configured: environment.issuerPrivateKey !== undefined },
  };
}

async function inTime(read: Promise<number>): Promise<z.output<typeof partSchema>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer in time")), TIMEOUT);
  });
  try {
    return { reachable: true, block: await Promise.race([read, late]) };
  } catch {
    return { reachable: false, block: null };
  } finally {
    clearTimeout(timer);
  }
}

async function indexedBlock(indexerUrl: string): Promise<number> {
  const url = new URL("/search?limit=1", indexerUrl);
  const response = await fetch(url, { cache: "no-store", signal: AbortSignal.timeout(TIMEOUT) });
  const { block } = z.object({ block: z.int() }).parse(await response.json());
  return block;
}
