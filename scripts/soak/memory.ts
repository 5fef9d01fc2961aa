import type { Fleet } from "../stack/fleet.ts";
import { processesOf, processTree, usageOf } from "../stack/processTree.ts";
import type { MemorySeries } from "./evidence.ts";

/** Milliseconds between two samples. */
const INTERVAL = 10_000;

/** Samples the memory of every process of the stack until the returned function is called. */
export function watchMemory(fleet: Fleet): () => MemorySeries[] {
  const series = new Map<string, MemorySeries>();
  const note = async (part: string, start: number, ids: readonly number[]) => {
    const usage = await usageOf(ids);
    if (!usage) return;
    const name = `${part} ${start}`;
    const kept = series.get(name) ?? { part, start, samples: [] };
    series.set(name, kept);
    kept.samples.push({ at: Date.now(), bytes: usage.resident });
  };
  const sample = async () => {
    for (const part of [...Object.values(fleet.parts).flat(), fleet.chain]) {
      await note(part.name, part.starts(), await processesOf(part.current().service));
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
