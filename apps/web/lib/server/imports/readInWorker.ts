import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Discovery } from "@app-registry/outbound";
import { ADDRESS_LOOK } from "@app-registry/outbound/internal";
import { metrics } from "@app-registry/server/metrics";
import { once } from "@app-registry/server/once";
import { Piscina } from "piscina";
import type { OutboundAnswer, ReadServiceTask } from "./readService.ts";

/** Time limit of one import, in milliseconds: 20 seconds for the hosts, and the rest for parsing. */
const DEADLINE = 30_000;

/** Memory limit of a thread's heap, in MB. The largest document that is read needs about 150. */
const MAX_HEAP_MB = 256;

/** Number of imports that run at once, each in a thread of its own. */
export const IMPORT_THREADS = 2;

/** The web app always starts in its folder. A build contains the program as a bundle. */
const folder = join(process.cwd(), "lib/server/imports");

const threads = once(() => {
  const bundle = join(folder, "readService.mjs");
  const pool = new Piscina<ReadServiceTask, Discovery>({
    filename: existsSync(bundle) ? bundle : join(folder, "readService.ts"),
    minThreads: 0,
    maxThreads: IMPORT_THREADS,
    idleTimeout: 60_000,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    // The issuer's key is in the environment of this process.
    env: { NODE_ENV: process.env.NODE_ENV },
  });
  pool.on("message", (answer: OutboundAnswer) => metrics().outbound(...answer));
  return pool;
});

/**
 * Reads a service on the web in a thread, so that no document stops this process or uses up its memory. A service that
 * exceeds the limits of time or memory is a failed location.
 */
export async function readInWorker(task: ReadServiceTask, deadline = DEADLINE): Promise<Discovery> {
  try {
    return await threads().run(task, { signal: AbortSignal.timeout(deadline) });
  } catch (error) {
    const { name, code } = error as { name?: string; code?: string };
    if (name !== "AbortError" && code !== "ERR_WORKER_OUT_OF_MEMORY") throw error;
    const reason = "Its documents need too much time or memory to read.";
    const { input } = task;
    return {
      input,
      dids: [],
      findings: [],
      looked: [{ place: input, lookedFor: ADDRESS_LOOK, outcome: "failed", reason }],
    };
  }
}
