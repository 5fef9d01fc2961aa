import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Fleet } from "../stack/fleet.ts";
import { processesOf, processTree, usageOf } from "../stack/processTree.ts";
import type { MemorySeries } from "./evidence.ts";

/** Milliseconds between two samples. */
const INTERVAL = 10_000;

/** Variable that names the folder where each process of Node's notes, by its id, the bytes that it keeps. */
export const KEPT_MEMORY = "SOAK_KEPT_MEMORY";

/** Bytes that some processes keep together; undefined where none has noted them. */
async function keptBy(ids: readonly number[]): Promise<number | undefined> {
  const directory = process.env[KEPT_MEMORY] ?? "";
  const noted = ids.map((id) => readFile(join(directory, String(id)), "utf8").then(Number, () => 0));
  const sum = (await Promise.all(noted)).reduce((total, bytes) => total + bytes, 0);
  return sum === 0 ? undefined : sum;
}

/** Samples the memory of every process of the stack until the returned function is called. */
export function watchMemory(fleet: Fleet): () => MemorySeries[] {
  const series = new Map<string, MemorySeries>();
  const note = async (part: string, start: number, ids: readonly number[], isNode = false) => {
    const usage = await usageOf(ids);
    if (!usage) return;
    const name = `${part} ${start}`;
    const known = series.get(name) ?? { part, start, samples: [] };
    series.set(name, known);
    const bytes = (isNode ? await keptBy(ids) : undefined) ?? usage.resident;
    known.samples.push({ at: Date.now(), bytes, resident: usage.resident });
  };
  const sample = async () => {
    const parts = Object.values(fleet.parts).flat();
    for (const part of [...parts, fleet.chain]) {
      const ids = await processesOf(part.current().service);
      await note(part.name, part.starts(), ids, part !== fleet.chain);
    }
    await note("proxy", 1, await processesOf(fleet.proxy.service));
    const postmaster = await fleet.database.processId().catch(() => undefined);
    // Shared memory counts once for each of its processes that has touched it.
    if (postmaster) await note("database", postmaster, await processTree(postmaster));
  };
  const timer = setInterval(() => void sample(), INTERVAL);
  void sample();
  return () => {
    clearInterval(timer);
    return [...series.values()];
  };
}
